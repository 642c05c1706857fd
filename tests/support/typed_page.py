"""A page of code by a user of the package, as type checkers see it from outside."""

from pathlib import Path

import regard

model = regard.load("en-fr")
trace = regard.translate(model, "I love you.")
text: str = trace.text
weights_shape: tuple[int, ...] = trace.weights.shape
scores_shape: tuple[int, ...] = trace.scores.shape  # which only a recurrent network's trace has
texts: list[str] = [one.text for one in regard.translate(model, ["I love you.", "Hello."])]
masked = regard.what_if(model, "I love you.", regard.Intervention(hidden=(1,), temperature=2.0))
forced = regard.force(regard.load(Path("pretrained") / "en-fr"), ["I love you."], ["Je t'aime."])
likely: float = forced[0].log_probability + masked.log_probability
for few in regard.stream(model, (line.strip() for line in ["Hello."]), batch_size=8, record="weights", progress=True):
    source: tuple[str, ...] = few.source
hooked: float = regard.run(model, "Hello.", {"state": lambda step, state: state / 2}).log_probability
best: list[str] = [one.text for one in regard.beam(model, ["Hello."], 3)]
drawn: float = regard.sample(model, "Hello.", 2, top_k=5)[0].log_probability
links: list[tuple[int, int]] = regard.align(model, "I see .", "Je vois .")
halves: list[str] = [one.text for one in regard.run(model, ["Hello."], {"state": lambda step, state: None})]
given = regard.show([[0.9, 0.1], [0.2, 0.8]], ["I", "see"], ["je", "vois"], probabilities=[0.5, 0.5])
layers: int = given.heads["cross"].shape[0]
page: str = given.to_html()
names: list[str] = [shipped.name for shipped in regard.models()]


def heads(outputs: object, tokenizer: object, source_ids: list[list[int]]) -> regard.GivenAttention:
    """Show what a model of Hugging Face returned."""
    return regard.from_transformers(outputs, tokenizer, source_ids)
