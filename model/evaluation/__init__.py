"""Evaluation: computes a model's `scores.json`; other code reads it through `scores_record`.

Reading order: translation_quality, typed_first, made_numbers, attention_faithfulness, function_words,
doubt_calibration, made_omissions, scores_record.
"""
