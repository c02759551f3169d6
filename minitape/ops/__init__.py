"""The derivative table, by subject.  Read elementwise.py first; `primitive.TABLE` holds every row by its name."""
