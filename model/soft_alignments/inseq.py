"""Inseq's attributions, as `FeatureAttributionOutput.save` of version 0.7 writes them (Sarti et al. 2023).

{"attributes": {"sequence_attributions": [{"attributes": {"source": [{"attributes": {"token": ...}}], "target": ...,
"source_attributions": base64 of a safetensors file with one tensor, "attribution"}}]}}. The tensor is source × target,
for the method `attention` followed by layers × heads. With `use_primitives=True` there is no "attributes" level.
"""

import base64
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from regard.model.alignment import Sentence
from regard.model.input_error import InputError
from regard.model.soft_alignments.given_attention import show
from regard.model.soft_alignments.record import ForeignSentence, GivenBeside
from regard.model.soft_alignments.text_file import File
from regard.model.soft_alignments.tokens import marked

ACCEPTED = (
    'accepted is "source" and "target", whose tokens have a "token", and "source_attributions", a list of numbers or '
    'a safetensors file in base64 with an "attribution"'
)
BRACKETS = 500_000  # opening brackets in a file; each of its tokens has three
DIMENSIONS = (2, 4)  # of a tensor: a matrix, or one for each layer and head
MODULE = "inseq.data.attribution"
PREFIX = "Attributions to the target's own beginning are left out."


def read(file: File, beside: GivenBeside) -> Iterator[ForeignSentence]:
    """Read each sequence of the file."""
    values = file.parse_json(1, "\n".join(file.lines), BRACKETS)
    sequences = _inside(values).get("sequence_attributions")
    if not isinstance(sequences, list):
        raise file.wrong(1, 'not an output of Inseq; accepted is JSON with a list of "sequence_attributions"')
    for number, sequence in enumerate(sequences, 1):
        try:
            yield _sentence(_inside(sequence))
        except InputError as error:
            raise InputError(f"{file.name}, sequence {number}: {error}") from error
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, SafetensorError) as error:
            reason = f"there is no {error} in it" if isinstance(error, KeyError) else f"it cannot be read ({error})"
            raise InputError(f"{file.name}, sequence {number}: {reason}; {ACCEPTED}") from error


def write(sentences: list[ForeignSentence]) -> str:
    """Write sentences as Inseq 0.7 does, with the mean weights where there are several heads."""
    sequences = [
        _instance(
            "FeatureAttributionSequenceOutput",
            source=_tokens(one.alignment.source),
            target=_tokens(one.alignment.target),
            source_attributions=base64.b64encode(save({"attribution": one.alignment.weights.T.copy()})).decode(),
            attr_pos_start=0,
            attr_pos_end=len(one.alignment.target.tokens),
        )
        for one in sentences
    ]
    whole = _instance("FeatureAttributionOutput", sequence_attributions=sequences, step_attributions=None, info={})
    return json.dumps(whole, indent=4, sort_keys=True)


def _sentence(values: dict[str, Any]) -> ForeignSentence:
    source, target = ([str(_inside(token)["token"]) for token in values[side]] for side in ("source", "target"))
    target = target[values.get("attr_pos_start") or 0 : values.get("attr_pos_end")]
    attributions = _tensor(values["source_attributions"])
    if attributions.ndim not in DIMENSIONS:
        raise InputError(
            f"source_attributions have the shape {attributions.shape}; accepted are source × target, perhaps × layers "
            "× heads. Aggregate others, such as those of gradients, before saving"
        )
    weights = attributions.T if attributions.ndim == 2 else attributions.transpose(2, 3, 1, 0)
    chances = (values.get("step_scores") or {}).get("probability")
    given = show(weights, source, target, probabilities=None if chances is None else _tensor(chances), name="Inseq")
    notes = (PREFIX,) if values.get("target_attributions") else ()
    return ForeignSentence(given.alignment, 1, notes=notes, given=given)


def _tensor(value: Any) -> Float[ndarray, "..."]:
    """Return a tensor in any of the forms that versions of Inseq write."""
    if isinstance(value, str):
        return load(base64.b64decode(value, validate=True))["attribution"].astype(np.float32)
    return np.array(value["__ndarray__"] if isinstance(value, dict) else value, dtype=np.float32)


def _inside(value: Any) -> dict[str, Any]:
    """Return the attributes of an instance, or none of what is no object."""
    inside = value.get("attributes", value) if isinstance(value, dict) else {}
    return inside if isinstance(inside, dict) else {}


def _instance(name: str, module: str = MODULE, **attributes: Any) -> dict[str, Any]:
    return {"__instance_type__": [module, name], "attributes": attributes}


def _tokens(side: Sentence) -> list[dict[str, Any]]:
    return [_instance("TokenWithId", "inseq.utils.typing", token=token, id=0) for token in marked(side)]
