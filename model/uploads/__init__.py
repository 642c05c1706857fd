"""Uploaded model folders as zip files: checked in memory before anything is loaded or written.

Reading order: admission, unpacking, arrays.
"""
