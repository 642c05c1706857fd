"""Figures and diagrams of the lesson, chapter by chapter; `svg` has the marks that the diagrams are drawn with.

Reading order: svg, memory, attention, decoder, limits, arrows, bars.
"""
