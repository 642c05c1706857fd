"""Worksheet: `screen`, then sheet, exercises, tables, gift."""
