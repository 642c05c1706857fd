"""Worked examples: `screen`, then the parts beside the examples of a document: common_errors, which lists the
statements, corrections, trainings, pytorch_module."""
