"""Models, traces and analyses that the server loads, caches and shares, with the registry of models.

Reading order: folders, registry, records, models, translator_process, traces, transformers, memories, analyses,
aligned_sentences; cache_bound, result_size and result_cache for what is cached, temporary and visit_folders for what is
written.
"""
