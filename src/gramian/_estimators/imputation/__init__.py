"""Tables with holes: completed by their own axes.

The numbers behind `gm.missing` and `missing="iterative"`: iterated PCA, with the metric of numbers,
of answers to questions, or of both.
"""
