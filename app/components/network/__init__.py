"""The network's picture: a decoder step as one drawing, from the words read to the word written.

`payload` adds the data that the trace lacks. `view.js` draws the picture in the stepper from the other modules' parts.
"""
