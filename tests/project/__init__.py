"""What a newcomer meets: packaging, style, imports, notebooks, Binder."""
