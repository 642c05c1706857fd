"""The parts of the screen Is attention an alignment?"""
