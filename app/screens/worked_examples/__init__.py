"""Worked examples: `screen`, then the parts beside the examples of a document: common_errors, pytorch_module."""
