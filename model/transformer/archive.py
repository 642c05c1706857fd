"""Reading the trace of any network: a recurrent one's or a Transformer's. `regard.model.archive` has the format."""

from regard.model.archive import read_json, read_npz
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.trace import TransformerTrace

KINDS: tuple[type[AnyTrace], ...] = (Trace, TransformerTrace)


def from_json(text: str) -> AnyTrace:
    """Read a trace from JSON. Raises InputError for anything but a trace of a known format version."""
    return read_json(text, KINDS)


def from_npz(content: bytes) -> AnyTrace:
    """Read a trace from NPZ, never unpickling. Raises InputError for anything but a trace of a known format version."""
    return read_npz(content, KINDS)
