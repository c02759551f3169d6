"""Programs that make what lies in the repository: each can be run again, and a test says when it should be."""
