"""Worked examples: `screen`, then what stands beside them: common_errors, each with what was measured, and
pytorch_module."""
