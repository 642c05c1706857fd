"""The chapters of the lesson.

Reading order: bottleneck, annotations, scoring, softmax, context, output, heatmap, wirings, limits, learning,
transformers.
"""
