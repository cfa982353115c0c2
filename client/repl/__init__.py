"""The prompt of a full terminal: one line to type on, what is awaited below it, the story above."""
