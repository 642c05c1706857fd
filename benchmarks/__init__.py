"""How fast it is, measured: `make bench` runs all of it and writes RESULTS.md."""
