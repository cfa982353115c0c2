"""The cards of the game: faces, decks, and what each artifact does."""
