"""A page that holds models and translates by itself: type, translate and step where there is no server.

`document` makes it, from models that PyTorch has loaded and so found whole; `parameters` is how weights travel in it;
`node_engine` translates as the page does, without a browser. The scripts beside them are the page around the stepper;
what they compute with is `regard.app.export.engine`.
"""
