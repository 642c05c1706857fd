"""Evaluation: what `scores.json` holds of a model.

Reading order: translation_quality, typed_first, attention_faithfulness, function_words.
"""
