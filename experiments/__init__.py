"""Studies and the command line."""
