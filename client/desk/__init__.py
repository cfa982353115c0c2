"""What a player does at the table, whatever the terminal: lines in, lines out."""
