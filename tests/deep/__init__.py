"""What the library is trusted for, tried by chance: `pytest -m deep` tries all of it and writes docs/reliability.md."""
