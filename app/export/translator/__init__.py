"""A page that holds models and translates by itself: type, translate and step where there is no server.

`document` builds it from models that PyTorch has loaded and thereby checked, with the word lists for reading a
sentence. The scripts beside it are the page around the stepper; they compute with `regard.app.export.engine`.
"""
