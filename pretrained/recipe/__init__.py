"""Recipe of the shipped models: how their training text is made, and how they are trained and measured.

It belongs to a checkout, from whose root `python -m pretrained.recipe` runs; no wheel has it. Reading order: mixture,
names, numbers, templates, sentence_patterns; lists, doubt, eflomal_aligner, jump_penalty, exposure, node_engine,
scores, readme_tables; `__main__` has the commands, which write into `pretrained/`.
"""
