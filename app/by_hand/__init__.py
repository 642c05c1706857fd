"""What the screen By hand sets beside the worked examples of a document."""
