"""The commands of `regard`, one per file; a command's parts begin with its name.

Reading order: translate, report, align, show, train, evaluate, heads, practise, axes, memory, export, card; they share
command_line.
"""
