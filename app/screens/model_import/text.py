"""Text: what is said on the screen Import a model."""

from html import escape
from pathlib import Path

from app.wording import between
from model.checkpoint import Pretrained
from model.uploads.admission import ACCEPTED, MOST_PARAMETERS, NEEDED
from model.uploads.unpacking import LARGEST

MEGABYTE = 2**20
SIZE = LARGEST // MEGABYTE  # MB of an upload; `.streamlit/config.toml` has the same

_OPTIONAL = [name for name in ACCEPTED if name not in NEEDED]
ABOUT = {  # the parts of the text, by their headings; Markdown
    "What is accepted": f"""
A zip of up to {SIZE} MB with the folder of one model:

- {", ".join(f"`{name}`" for name in NEEDED)}
- if they are there, also {", ".join(f"`{name}`" for name in _OPTIONAL)}

and nothing else. Weights are accepted as safetensors in float16 or float32, up to {MOST_PARAMETERS // 10**6} million of
them, never pickled: reading a pickle can run anything. Every file is checked before anything is loaded.
""",
    "How to make one": """
A model of this program, of any two languages, is trained from sentence pairs by one command:

```text
python -m model train --out my-model \\
  --source en.txt --target fr.txt
zip -r my-model.zip my-model
```

“Watch it learn” has a model to download when a run ends; it can be brought back here.
""",
    "What becomes of it": """
It is on offer in every screen's list of models, for you alone and until your visit ends. Then its files are deleted.
A link that you share names it, but opens the usual model for others.
""",
    "On a server of your own": """
Who runs the app offers more models to everybody: `python -m app --models DIR` takes a model's folder or a folder of
such folders, and so does the environment variable `REGARD_MODELS`.
""",
}


def facts(model: Pretrained) -> str:
    """What a model is; HTML."""
    config = model.config
    rows = {
        "translates": between(config.languages),
        "score": config.score,
        "wiring": config.wiring.capitalize(),
        "cell": config.cell.upper(),
        "sizes": f"embedding {config.embedding:,}, annotation {config.annotation:,}, state {config.state:,}",
        "vocabulary": f"{config.vocabulary:,} tokens",
        "parameters": f"{model.parameters:,}",
        "fingerprint": model.fingerprint[:16],
    }
    return "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in rows.items()).join(
        ('<dl class="brought">', "</dl>")
    )


STYLE = Path(__file__).with_name("text.css")
