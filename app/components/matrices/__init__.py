"""One step of a worked example as its matrices, with the sum behind every entry.

Reading order: number_format, plain_symbols, printed_values, sums, payload, mount.
"""
