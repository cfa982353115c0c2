"""Questions to the player: how each kind is shown, which typed answers it takes, what Tab completes."""

from client.ask.make import question
from client.ask.question import NOTHING, Next, Nothing, Question

__all__ = ["NOTHING", "Next", "Nothing", "Question", "question"]
