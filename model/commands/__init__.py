"""What `regard` can be told to do, one command a file; parts of one begin with its name.

Reading order: translate, align, train, evaluate, heads, practise, export, card; text_lines reads and writes for
several of them.
"""
