"""What the server loads: models, traces and analyses, cached and shared; which models there are, and where.

Reading order: folders, registry, records, models, traces, transformers, analyses, aligned_sentences; result_size and
result_cache for what is remembered, temporary and visit_folders for what is written.
"""
