"""The network implemented again in NumPy alone, to check PyTorch against; nothing here imports torch.

Reading order: formulas, recompute (a recurrent network, and its posterior attention), transformer.
"""
