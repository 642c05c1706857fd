"""Parallel text: read, checked, divided and cut into batches; mixtures of it with generated pairs; the aligned stories.

Reading order: corpus, validation, provenance; held_out; casual_copies, spelling_mistakes, invented_names,
name_exchange, number_exchange; number_words, word_forms, dates_times_prices, addresses, templates; french_verbs,
verb_phrases, sentence_patterns; mixture.
"""
