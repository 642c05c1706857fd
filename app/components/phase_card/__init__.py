"""A phase of the network's picture on its own, beside the text of the lesson: `mount` draws it as a component."""
