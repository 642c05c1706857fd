"""Text of the screen Import a model."""

from html import escape

from regard.app.wording import between
from regard.model.arithmetic.quantity import SCORES
from regard.model.checkpoint import AnyModel
from regard.model.files import toml_beside
from regard.model.readable import MODEL_BYTES
from regard.model.transformer.transformer import TransformerConfig
from regard.model.uploads.admission import ACCEPTED, MOST_PARAMETERS, NEEDED

MEGABYTE = 2**20
SIZE = MODEL_BYTES // MEGABYTE  # MB of an upload, as in `.streamlit/config.toml`

_ENTERS = {  # in the text
    "size": SIZE,
    "needed": ", ".join(f"`{name}`" for name in NEEDED),
    "optional": ", ".join(f"`{name}`" for name in ACCEPTED if name not in NEEDED),
    "millions": MOST_PARAMETERS // 10**6,
}
ABOUT = {heading: part.format(**_ENTERS) for heading, part in toml_beside(__file__, "text.toml").items()}


def facts(model: AnyModel) -> str:
    """Describe a model; HTML."""
    config = model.network.config
    if isinstance(config, TransformerConfig):
        layers = f"{config.encoder_layers} of the encoder and {config.decoder_layers} of the decoder"
        about = {
            "network": "Transformer",
            "layers": f"{layers}, {config.heads} heads each",
            "positions": config.positions,
            "sizes": f"embedding {config.embedding:,}, feed-forward {config.feed_forward:,}",
        }
    else:
        about = {
            "score": SCORES[config.score].name,
            "wiring": config.wiring.capitalize(),
            "cell": config.cell.upper(),
            "sizes": f"embedding {config.embedding:,}, annotation {config.annotation:,}, state {config.state:,}",
        }
    rows = {
        "translates": between(config.languages),
        **about,
        "vocabulary": f"{config.vocabulary:,} tokens",
        "parameters": f"{model.parameters:,}",
        "fingerprint": model.fingerprint[:16],
    }
    return "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in rows.items()).join(
        ('<dl class="brought">', "</dl>")
    )
