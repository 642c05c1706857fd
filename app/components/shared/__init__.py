"""Scripts and style sheets that several components share, and the transport of scripts and numbers.

Reading order: modules, component, packed.
"""
