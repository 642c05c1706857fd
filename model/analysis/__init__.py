"""Analyses of single translations: whether attention is faithful, what would change it, how two models differ.

Reading order: attention_statistics, faithfulness, head_ablation, attention_search; model_comparison, model_preference;
claims (of tutorials); axes_measurement.
"""
