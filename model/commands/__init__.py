"""The commands of `regard`, one per file; a command's parts begin with its name.

Reading order: translate, report, align, train, evaluate, heads, practise, axes, memory, export, card; several of them
share model_argument, how_measured, and text_lines for reading and writing.
"""
