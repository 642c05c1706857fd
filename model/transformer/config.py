"""Configuration of a Transformer: the choices that define it before it has parameters."""

from dataclasses import dataclass

from regard.model.config import AnyConfig
from regard.model.input_error import InputError, check_choice
from regard.model.transformer.positions import POSITIONS

NETWORK = "transformer"
MOST_LAYERS = 24


@dataclass(frozen=True)
class TransformerConfig(AnyConfig):
    """Sizes in components; a vector that passes from layer to layer has `embedding` components. Source, target and
    output share one embedding table (section 3.4), so both languages need one vocabulary. `network` distinguishes the
    file from that of a recurrent network."""

    vocabulary: int
    languages: tuple[str, str] = ("en", "fr")
    embedding: int = 256
    heads: int = 4
    encoder_layers: int = 3
    decoder_layers: int = 3
    feed_forward: int = 1024
    positions: str = "sinusoids"
    dropout: float = 0.1
    network: str = NETWORK

    def __post_init__(self) -> None:
        self.check_common()
        check_choice("network", self.network, (NETWORK,))
        check_choice("positions", self.positions, POSITIONS)
        self.check_sizes("vocabulary", "embedding", "heads", "encoder_layers", "decoder_layers", "feed_forward")
        if self.embedding % (2 * self.heads):
            raise InputError(
                f"embedding is {self.embedding}; it must be a multiple of {2 * self.heads}, twice the heads"
            )
        for name in ("encoder_layers", "decoder_layers"):
            if getattr(self, name) > MOST_LAYERS:
                raise InputError(f"{name} is {getattr(self, name)}; it must be at most {MOST_LAYERS}")

    def columns(self) -> dict[str, int]:
        last = {"encoder": self.encoder_layers - 1, "decoder": self.decoder_layers - 1}
        hidden = {f"{side}.layers.{layer}.feed_forward.W_2.weight": self.feed_forward for side, layer in last.items()}
        return {"embedding.weight": self.embedding, **hidden}

    @property
    def source_in_state(self) -> str:
        return "layers"
