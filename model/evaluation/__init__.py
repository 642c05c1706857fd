"""Evaluation: what `scores.json` holds of a model; `scores_record` reads it, for everybody else.

Reading order: translation_quality, typed_first, attention_faithfulness, function_words, scores_record.
"""
