"""Parallel text: read, checked, split and batched; mixtures with generated pairs; stories with aligned words.

Reading order: corpus, validation, provenance; held_out; casual_copies, spelling_mistakes, invented_names,
name_exchange, number_exchange; number_words, word_forms, dates_times_prices, addresses, templates; french_verbs,
verb_phrases, sentence_patterns; mixture.
"""
