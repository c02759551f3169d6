"""TensorFlow's namespaces: where its programs look for things.

Each row of the table says its own names (`Notes.tf`), each composed function too (`@named`).  `python -m tools.names` writes
them into files here, so that editors and type checkers read them; `top.py` is what stands in `tf` itself.  `autodiff`, `config`,
`debugging` and `test` are written by hand: they have no rows, or a little code of their own.
"""
