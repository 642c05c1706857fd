"""Speed measurements: `make bench` runs all of them and writes RESULTS.md."""
