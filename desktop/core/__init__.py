"""What every room may use: ids, time, errors, settings, paths, and ports that several domains need."""
