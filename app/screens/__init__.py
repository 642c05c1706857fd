"""One folder a screen: `screen.py` is its script, widgets in and figures out; its other parts lie beside it."""
