"""Running it: the command line, the service, checks, figures, logs."""
