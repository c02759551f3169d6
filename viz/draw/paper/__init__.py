"""The parts of a static picture: each draws one thing at one place and says how much room it took."""
