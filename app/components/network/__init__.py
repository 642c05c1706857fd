"""The network's picture: a decoder step as one drawing, from the words that are read to the word that is written.

`payload` has what a browser needs for it beside the trace. `view.js` draws it within the stepper, in the parts that
the other modules make.
"""
