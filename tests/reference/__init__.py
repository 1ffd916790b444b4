"""The seed players' evaluations, orders and searches, slow and literal: what the core's fast versions must equal."""
