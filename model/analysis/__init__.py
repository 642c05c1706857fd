"""Analyses of single translations: whether attention is faithful, what would change it, how two models differ.

Reading order: attention_statistics, faithfulness, head_ablation, gradient_search, attention_search;
model_comparison, model_preference, annotation_shift, constant_context, document_claims; axes_measurement.
"""
