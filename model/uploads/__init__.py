"""A stranger's model folder as a zip: checked in memory before anything is loaded or written.

Reading order: admission, unpacking, safetensors_header, metadata, scores_schema, snapshots_check.
"""
