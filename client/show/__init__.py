"""Text for the screen: seats, cards, board, story, toolbar. Plain strings in, plain strings out."""
