"""What is written down, and what can be asked of it: events, bytes and their holders, provenance."""
