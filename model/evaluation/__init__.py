"""Evaluation: computes a model's `scores.json`; other code reads it through `scores_record`.

Reading order: translation_quality, attention_faithfulness, scores_record.
"""
