"""Programs of PyTorch's, recorded: `.ci/run` runs these in an environment of their own, where PyTorch is installed."""
