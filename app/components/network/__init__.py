"""The network's picture: a decoder step as one drawing, from the words read to the word written.

`view.js` draws it in the stepper from the other modules' parts; `stepper.payload` adds the data that the trace lacks.
"""
