"""A run in progress: its curves, attention and predictions, drawn and scrubbed in the browser."""

from regard.app.components.shared.component import served

mounted = served("training_monitor", "training.js", ("colours", "base", "training"))
