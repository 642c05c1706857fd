"""Worked examples: `screen`, then common_errors, each with what was measured."""
