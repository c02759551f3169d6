"""What minitape costs, as ratios to NumPy written by hand."""
