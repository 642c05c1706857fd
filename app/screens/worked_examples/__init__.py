"""Worked examples: `screen`, then the parts beside the examples of a document: printed_table, side_by_side, claims,
common_errors, error_measurements, pytorch_module, number_grid."""
