"""Analyses of single translations: is attention faithful, what would change it, how do two models differ.

Reading order: attention_statistics, faithfulness, head_ablation, gradient_search, attention_search;
model_comparison, annotation_shift.
"""
