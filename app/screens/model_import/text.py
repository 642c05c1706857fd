"""Text of the screen Import a model."""

from html import escape
from pathlib import Path

from regard.app.wording import between
from regard.model.arithmetic.kinds import SCORES
from regard.model.checkpoint import AnyModel
from regard.model.config import Config
from regard.model.transformer.config import TransformerConfig
from regard.model.upload_limits import MODEL_BYTES
from regard.model.uploads.admission import ACCEPTED, MOST_PARAMETERS, NEEDED

MEGABYTE = 2**20
SIZE = MODEL_BYTES // MEGABYTE  # MB of an upload, as in `.streamlit/config.toml`

_OPTIONAL = [name for name in ACCEPTED if name not in NEEDED]
ABOUT = {  # the parts of the text, by heading; Markdown
    "What is accepted": f"""
A zip of up to {SIZE} MB with the folder of one model:

- {", ".join(f"`{name}`" for name in NEEDED)}
- if they are there, also {", ".join(f"`{name}`" for name in _OPTIONAL)}

and nothing else. Weights are accepted as safetensors in float16 or float32, up to {MOST_PARAMETERS // 10**6} million of
them, never pickled: reading a pickle can run anything. Every file is checked before anything is loaded.
""",
    "How to make one": """
A model of this program, of any two languages, is trained from sentence pairs with one command:

```text
regard train --out my-model \\
  --source en.txt --target fr.txt
zip -r my-model.zip my-model
```

“Watch it learn” has a model to download when a run ends; it can be brought back here.
""",
    "What happens to it": """
It appears in every screen's list of models, for you alone, until your visit ends. Then its files are deleted. A link
that you share names it, but opens the usual model for others.
""",
    "On a server of your own": """
Whoever runs the app can offer more models to everybody: `regard --models DIR` takes a model's folder or
a folder of such folders, and so does the environment variable `REGARD_MODELS`.
""",
}


def facts(model: AnyModel) -> str:
    """Describe a model; HTML."""
    config = model.network.config
    rows = {
        "translates": between(config.languages),
        **(_of_transformer(config) if isinstance(config, TransformerConfig) else _of_recurrent(config)),
        "vocabulary": f"{config.vocabulary:,} tokens",
        "parameters": f"{model.parameters:,}",
        "fingerprint": model.fingerprint[:16],
    }
    return "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in rows.items()).join(
        ('<dl class="brought">', "</dl>")
    )


def _of_recurrent(config: Config) -> dict[str, str]:
    return {
        "score": SCORES[config.score].name,
        "wiring": config.wiring.capitalize(),
        "cell": config.cell.upper(),
        "sizes": f"embedding {config.embedding:,}, annotation {config.annotation:,}, state {config.state:,}",
    }


def _of_transformer(config: TransformerConfig) -> dict[str, str]:
    layers = f"{config.encoder_layers} of the encoder and {config.decoder_layers} of the decoder"
    return {
        "network": "Transformer",
        "layers": f"{layers}, {config.heads} heads each",
        "positions": config.positions,
        "sizes": f"embedding {config.embedding:,}, feed-forward {config.feed_forward:,}",
    }


STYLE = Path(__file__).with_name("text.css")
