"""One folder per screen: `screen.py` is its script, widgets in and figures out; its other parts are beside it."""
