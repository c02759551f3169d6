"""Functions of JAX's, recorded: `.ci/jax` runs these in an environment of their own, where JAX is installed."""
