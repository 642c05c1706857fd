"""Models, traces and analyses that the server loads, caches and shares, with the registry of models.

Reading order: settings, registry, records, models, translator_process, traces, analyses; result_cache for what is
cached, temporary and visit_folders for what is written.
"""
