"""Evaluation: what `scores.json` holds of a model.

Reading order: translation_quality, attention_faithfulness, function_words.
"""
