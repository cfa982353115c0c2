"""Players without a person: they see what a person at their seat would see, and answer the same questions."""
