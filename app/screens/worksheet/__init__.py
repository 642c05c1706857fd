"""Worksheet: `screen`, then view, sheet, exercises, tables, gift."""
