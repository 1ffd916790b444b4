"""The arena: matches and tournaments between players, refereed, stored, rated and reported."""
