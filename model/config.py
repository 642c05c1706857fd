"""Configuration: the choices that define a model before it has parameters."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from regard.model.cells import CELLS
from regard.model.decoder import WIRINGS
from regard.model.input_error import InputError, check_choice
from regard.model.scores import SCORES

ConfigT = TypeVar("ConfigT", bound="AnyConfig")
INITIAL_STATES = ("zero", "encoder")


class AnyConfig(ABC):
    """The interface of every network's configuration: `config.json` has its fields and nothing else."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    vocabulary: int
    languages: tuple[str, str]
    dropout: float

    def check_common(self) -> None:
        """Check languages and dropout. Raises InputError if either is impossible."""
        if [type(language) for language in self.languages] != [str, str]:
            raise InputError(f"languages are {self.languages!r}; they must be two names, source and target")
        if not 0 <= self.dropout < 1:
            raise InputError(f"dropout is {self.dropout}; it must be from 0 to below 1")

    def check_sizes(self, *names: str) -> None:
        for name in names:
            size = getattr(self, name)
            if type(size) is not int or size < 1:
                raise InputError(f"{name} is {size!r}; it must be a whole number of at least 1")

    @abstractmethod
    def columns(self) -> dict[str, int]:
        """Return the number of columns of a few parameters, by name, from which the network's size follows."""

    @property
    def attends(self) -> bool:
        """Return True if the model has attention over the source."""
        return True

    @property
    @abstractmethod
    def source_in_state(self) -> str:
        """Describe how the source reaches the decoder's state.

        "never"   The state is computed from target tokens alone; only a step's own context depends on the source.
        "looks"   Through attention alone, but the state accumulates it: the cell reads the context, or with input
                  feeding the h̃ of the step before.
        "start"   The state begins from the encoder's last states, so it depends on the source before any attention.
        "layers"  Through attention alone, but a layer reads the results of those below it, at this step and earlier.
        """

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls: type[ConfigT], path: Path) -> ConfigT:
        """Read `config.json`. Raises InputError, naming the file, if it cannot be read or an entry is missing,
        unknown or impossible."""
        return read_config(path, cls.of)

    @classmethod
    def of(cls: type[ConfigT], given: Any) -> ConfigT:
        """Build a configuration from a file's values. Raises InputError for a missing, unknown or impossible entry."""
        if not isinstance(given, dict):
            raise InputError("it is not an object with an entry for each choice")
        try:
            odd = sorted(given.keys() ^ {field.name for field in fields(cls)})
            if odd:
                raise InputError(f"these entries are missing or unknown: {', '.join(odd)}")
            if not isinstance(given["languages"], list):
                raise InputError(f'languages is {given["languages"]!r}; accepted are two codes such as ["en", "fr"]')
            return cls(**{**given, "languages": tuple(given["languages"])})
        except (TypeError, AttributeError) as error:
            raise InputError(str(error)) from error


def read_config(path: Path, of: Callable[[Any], ConfigT]) -> ConfigT:
    """Build a configuration from the values of a file. Raises InputError naming the file."""
    try:
        return of(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: {error}") from error


@dataclass(frozen=True)
class Config(AnyConfig):
    """Sizes in components; `encoder_state` is for one direction, so an annotation has twice as many. The target
    embedding is tied to the output matrix, so an attentional vector has `embedding` components. With `initial_state`
    "zero" the decoder begins without information and must attend; with "encoder" it begins from a learned map of the
    encoder's last states. Any score can be combined with any wiring; input feeding is only for Luong's."""

    vocabulary: int
    languages: tuple[str, str] = ("en", "fr")
    score: str = "general"
    wiring: str = "luong"
    cell: str = "lstm"
    embedding: int = 256
    encoder_state: int = 256
    state: int = 512
    input_feeding: bool = False
    initial_state: str = "zero"
    dropout: float = 0.3

    def __post_init__(self) -> None:
        check_choice("score", self.score, SCORES)
        check_choice("wiring", self.wiring, WIRINGS)
        check_choice("cell", self.cell, CELLS)
        check_choice("initial_state", self.initial_state, INITIAL_STATES)
        self.check_sizes("vocabulary", "embedding", "encoder_state", "state")
        self.check_common()
        if type(self.input_feeding) is not bool:
            raise InputError(f"input_feeding is {self.input_feeding!r}; it must be true or false")
        if self.input_feeding and self.wiring == "bahdanau":
            raise InputError("input_feeding is true, but Bahdanau's wiring feeds the context instead; it must be false")

    @property
    def annotation(self) -> int:
        return 2 * self.encoder_state

    def columns(self) -> dict[str, int]:
        return {
            "encoder.embedding.weight": self.embedding,
            "encoder.forwards.rnn.weight_hh_l0": self.encoder_state,
            "decoder.cell.rnn.weight_hh_l0": self.state,
        }

    @property
    def attends(self) -> bool:
        return self.score != "none"

    @property
    def source_in_state(self) -> str:
        if self.initial_state == "encoder":
            return "start"
        return "looks" if self.wiring == "bahdanau" or self.input_feeding else "never"
