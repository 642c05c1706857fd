"""The commands of `regard`, one per file; a command's parts begin with its name.

Reading order: translate, report, align, train, evaluate, heads, practise, axes, memory, export, card; text_lines does
reading and writing for several of them.
"""
