"""The parts of `cosmic-net doctor`: each looks at one thing and says what it found."""
