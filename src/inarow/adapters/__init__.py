"""Other people's programs and frameworks: each module hosts players of one kind, or shows ours to one framework."""
