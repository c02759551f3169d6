"""Programs of TensorFlow's, recorded: `.ci/tensorflow` runs these in an environment of their own, where TensorFlow is installed."""
