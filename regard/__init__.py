"""Regard: a sequence-to-sequence model with attention, and every number of its translations.

    model = regard.load("en-fr")
    trace = regard.translate(model, "I love you.")
    trace.text, trace.weights

SemVer covers the names in `__all__`, the fields of a trace and of an `Intervention`, and the keys of JSON and NPZ.
`regard.model` computes and `regard.app` shows; their modules may change in any version. In a checkout the two
folders are beside this one and links in this one lead to them, which type checkers follow; where git made no links,
`__path__` names the folder that contains them. In an installed package they are inside this one.
Importing `regard` loads neither PyTorch nor Streamlit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sized
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    from regard.model.changes.intervention import Intervention
    from regard.model.changes.what_if import Hook
    from regard.model.checkpoint import AnyModel, AnyPretrained, Pretrained
    from regard.model.input_error import InputError, InputWarning
    from regard.model.network import TraceT
    from regard.model.soft_alignments.given_attention import GivenAttention, show
    from regard.model.soft_alignments.hugging_face import from_transformers
    from regard.model.trace import AnyTrace, Trace, WeightTrace
    from regard.model.transformer.checkpoint import PretrainedTransformer, ShippedModel
    from regard.model.transformer.trace import TransformerTrace

__version__ = "0.7.0"
Texts = list[str] | tuple[str, ...]
Links = list[tuple[int, int]]  # source word, target word
Reading = Literal["weights", "posterior", "posterior-hmm"]
Recurrent = Literal[
    "en-fr", "en-fr-bahdanau", "en-fr-concat", "en-fr-dot", "en-fr-general", "en-fr-general-gru", "en-fr-none",
    "reverse-gru", "reverse-gru-none",
]  # fmt: skip
Transformers = Literal["en-fr-transformer", "reverse-transformer", "reverse-transformer-nopos"]
__all__ = [
    "GivenAttention", "Hook", "InputError", "InputWarning", "Intervention", "Pretrained", "PretrainedTransformer",
    "ShippedModel", "Trace", "TransformerTrace", "WeightTrace", "align", "beam", "export", "force",
    "from_transformers", "load", "models", "read", "run", "sample", "show", "stream", "translate", "what_if",
]  # fmt: skip

_HERE = Path(__file__).parent
if not (_HERE / "model").is_dir():
    __path__.append(str(_HERE.parent))

_ELSEWHERE = {
    "GivenAttention": "regard.model.soft_alignments.given_attention",
    "Hook": "regard.model.changes.what_if",
    "InputError": "regard.model.input_error",
    "InputWarning": "regard.model.input_error",
    "Intervention": "regard.model.changes.intervention",
    "Pretrained": "regard.model.checkpoint",
    "PretrainedTransformer": "regard.model.transformer.checkpoint",
    "ShippedModel": "regard.model.transformer.checkpoint",
    "Trace": "regard.model.trace",
    "TransformerTrace": "regard.model.transformer.trace",
    "WeightTrace": "regard.model.trace",
    "from_transformers": "regard.model.soft_alignments.hugging_face",
    "show": "regard.model.soft_alignments.given_attention",
}


def __getattr__(name: str) -> Any:
    """Import a public class or function from its module when it is first used."""
    if name not in _ELSEWHERE:
        raise AttributeError(f"module 'regard' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_ELSEWHERE[name]), name)


def __dir__() -> list[str]:
    """List what is public, for completion."""
    return [*__all__, "__version__"]


def models() -> "list[ShippedModel]":
    """List the models that come with the package, the default one first."""
    from regard.model.transformer.checkpoint import shipped_models

    return shipped_models()


def read(
    path: "str | Path", beside: "str | Path | None" = None, format: str | None = None
) -> "list[GivenAttention | AnyTrace]":
    """Read a file of attention or links as *Import attention* does: a `GivenAttention` for each sentence, or the traces
    that `trace.save` wrote.

    `beside` is a file with the sentences that the format lacks, one per line: the source, or `source ||| target`.
    `format` is a key of `regard.model.soft_alignments.formats.FORMATS`; by default the file is recognised. A sentence
    that cannot be read is left out with an InputWarning. Raises InputError if none can be read.
    """
    from regard.model.soft_alignments.formats import read_path

    return read_path(path, beside, format)


@overload
def load(model: Recurrent = "en-fr", *, device: str = "cpu") -> "Pretrained": ...
@overload
def load(model: Transformers, *, device: str = "cpu") -> "PretrainedTransformer": ...
@overload
def load(model: "str | Path | ShippedModel", *, device: str = "cpu") -> "Pretrained | PretrainedTransformer": ...
def load(model: "str | Path | ShippedModel" = "en-fr", *, device: str = "cpu") -> "Pretrained | PretrainedTransformer":
    """Load a model by the name of a shipped one or its entry in `models()`, or by the path of its folder.

    `device` is where the functions of this module compute with it: "cpu", or any other name of a device that PyTorch
    finds here, such as "cuda:1". Traces are NumPy arrays on the CPU whatever it is; another device adds numbers in
    another order, so their last digits may differ. No GPU has been tried or measured with it: the tests use a
    stand-in. A model of this size decodes one sentence quickly on a CPU; large batches are what a GPU is for.

    Raises InputError, a ValueError, for an unknown name, listing the known ones, for a folder that is incomplete, and
    for a device that is not here.
    """
    from regard.model.arguments import folder_of
    from regard.model.checkpoint import device_of
    from regard.model.transformer.checkpoint import load_any

    return load_any(folder_of(model), device_of(device))


@overload
def translate(model: "AnyPretrained[TraceT]", sentences: str, *, as_typed: bool = False) -> "TraceT": ...
@overload
def translate(model: "AnyPretrained[TraceT]", sentences: Texts, *, as_typed: bool = False) -> "list[TraceT]": ...
def translate(
    model: "AnyPretrained[TraceT]", sentences: str | Texts, *, as_typed: bool = False
) -> "TraceT | list[TraceT]":
    """Translate by greedy decoding: one trace for a string, a list of traces in order for a list of strings.

    Capitals, missing apostrophes and misspelt words are corrected for the model unless `as_typed` is true. A sentence
    of more than 200 tokens or 10,000 characters is cut, and an item that is not a string becomes an empty one; an
    InputWarning names its index, or symbols that a model of sequences does not know. An empty string gets an empty
    translation, whose `stop` is "forced", because the model itself may write words for it.
    """
    from regard.model.arguments import listed
    from regard.model.trace import TraceList

    traces = TraceList(stream(model, listed(sentences), as_typed=as_typed))
    return traces[0] if isinstance(sentences, str) else traces


@overload
def stream(
    model: "AnyPretrained[TraceT]",
    sentences: Iterable[str],
    *,
    batch_size: int = 32,
    progress: bool = False,
    record: Literal["everything"] = "everything",
    as_typed: bool = False,
) -> "Iterator[TraceT]": ...
@overload
def stream(
    model: "AnyModel",
    sentences: Iterable[str],
    *,
    batch_size: int = 32,
    progress: bool = False,
    record: Literal["weights"],
    as_typed: bool = False,
) -> "Iterator[WeightTrace]": ...
def stream(
    model: "AnyPretrained[Any]",
    sentences: Iterable[str],
    *,
    batch_size: int = 32,
    progress: bool = False,
    record: Literal["everything", "weights"] = "everything",
    as_typed: bool = False,
) -> "Iterator[AnyTrace | WeightTrace]":
    """Translate any number of sentences, yielding a trace for each in order; a few batches at most are in memory.

    `batch_size` sentences are decoded together; `progress` shows a bar on standard error. `record="weights"` keeps only
    sentences, weights and log-probabilities, a fiftieth of the memory. Input is corrected and cut as by `translate`.
    """
    from tqdm import tqdm

    from regard.model import translate as greedy
    from regard.model.arguments import check_stream, read_as_asked
    from regard.model.linear import decoding_threads
    from regard.model.trace import WeightTrace

    check_stream(model, sentences, batch_size, record)
    read = (read_as_asked(model, sentence, index, 0, as_typed) for index, sentence in enumerate(sentences))
    total = len(sentences) if isinstance(sentences, Sized) else None
    with decoding_threads():
        traces = greedy.stream(model, read, batch_size)
        for trace in tqdm(traces, total=total, unit="sentence", disable=not progress):
            kept = trace if trace.alignment.source.text else greedy.of_nothing(model)
            yield kept if record == "everything" else WeightTrace.of(kept)


@overload
def force(model: "AnyPretrained[TraceT]", sources: str, targets: str) -> "TraceT": ...
@overload
def force(model: "AnyPretrained[TraceT]", sources: Texts, targets: Texts) -> "list[TraceT]": ...
def force(model: "AnyPretrained[TraceT]", sources: str | Texts, targets: str | Texts) -> "TraceT | list[TraceT]":
    """Make the decoder write given translations and record the probability of each token.

    Pass one source and its target, or two lists of equal length; both are read as typed. Raises InputError if the
    numbers of sources and targets differ.
    """
    from regard.model import translate as greedy
    from regard.model.arguments import pairs, read_as_asked
    from regard.model.linear import decoding_threads
    from regard.model.trace import TraceList

    read = [
        (read_as_asked(model, source, index, 0, True), read_as_asked(model, target, index, 1, True))
        for index, (source, target) in enumerate(pairs(sources, targets))
    ]
    with decoding_threads():
        traces = greedy.force(model, read)
    return traces[0] if isinstance(sources, str) else TraceList(traces)


@overload
def what_if(model: "AnyPretrained[TraceT]", sentences: str, intervention: "Intervention") -> "TraceT": ...
@overload
def what_if(model: "AnyPretrained[TraceT]", sentences: Texts, intervention: "Intervention") -> "list[TraceT]": ...
def what_if(
    model: "AnyPretrained[TraceT]", sentences: str | Texts, intervention: "Intervention"
) -> "TraceT | list[TraceT]":
    """Translate with the changes of an intervention: one trace for a string, a list for a list.

    Sentences are read as typed; an empty one is left empty. Raises InputError naming the item and the place at which
    the intervention is impossible.
    """
    from regard.model.arguments import check_intervention, of_each
    from regard.model.changes.what_if import translate_each

    check_intervention(intervention)
    changed = lambda read: translate_each(model, dict(enumerate(read)), intervention, "item")  # noqa: E731
    return of_each(model, sentences, True, changed)


@overload
def run(model: "AnyPretrained[TraceT]", sentences: str, hooks: "Mapping[str, Hook]") -> "TraceT": ...
@overload
def run(model: "AnyPretrained[TraceT]", sentences: Texts, hooks: "Mapping[str, Hook]") -> "list[TraceT]": ...
def run(model: "AnyPretrained[TraceT]", sentences: str | Texts, hooks: "Mapping[str, Hook]") -> "TraceT | list[TraceT]":
    """Translate, as typed, while hooks read or replace annotations and vectors of each decoder step: one trace for a
    string, a list for a list, whose sentences are translated one after the other.

    `hooks` are functions by name: `annotation`, `state`, `context` and `attentional` of a recurrent network,
    `annotation`, `attentional` and `head` of a Transformer. `hook(step, vector)`, for `annotation` `hook(position,
    vector)`, gets a read-only array and returns its replacement or None; a `head` hook also gets the decoder's head
    that computed it, such as `("cross", 2, 0)`: attention, layer, number. The trace's intervention contains the
    replacements. An empty sentence is decoded like any other. Raises InputError for another name or shape, or a number
    beyond ±10,000.
    """
    from regard.model.arguments import check_hooks, of_each
    from regard.model.changes.what_if import translate as hooked

    check_hooks(hooks)
    return of_each(model, sentences, True, lambda read: [hooked(model, sentence, hooks=hooks) for sentence in read])


@overload
def beam(
    model: "AnyPretrained[TraceT]", sentences: str, width: int = 5, *, alpha: float = 0.6, as_typed: bool = False
) -> "TraceT": ...
@overload
def beam(
    model: "AnyPretrained[TraceT]", sentences: Texts, width: int = 5, *, alpha: float = 0.6, as_typed: bool = False
) -> "list[TraceT]": ...
def beam(
    model: "AnyPretrained[TraceT]",
    sentences: str | Texts,
    width: int = 5,
    *,
    alpha: float = 0.6,
    as_typed: bool = False,
) -> "TraceT | list[TraceT]":
    """Translate by beam search with length normalisation `alpha` (Wu et al. 2016): the trace of the best translation of
    a string, a list for a list. Sentences are corrected and cut as by `translate`; an empty one is left empty. Raises
    InputError for a width or alpha out of range."""
    from regard.model.arguments import check_numbers, of_each
    from regard.model.decoding.beam import translate as search
    from regard.model.decoding.beam_tree import BeamSettings
    from regard.model.translate import of_nothing

    check_numbers({"width": width}, {"alpha": alpha})
    settings = BeamSettings(width, alpha)

    def searched(read: list[str]) -> "Iterator[TraceT]":
        found = iter(search(model, list(filter(None, read)), settings))
        return (next(found) if sentence else of_nothing(model) for sentence in read)

    return of_each(model, sentences, as_typed, searched)


def sample(
    model: "AnyPretrained[TraceT]",
    sentence: str,
    samples: int = 8,
    *,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int = 0,
    as_typed: bool = False,
) -> "list[TraceT]":
    """Sample translations of a sentence: `top_k` tokens (0: all), of which those within a probability of `top_p`, at a
    temperature. The traces have the model's own probabilities; the same seed gives the same samples. Raises InputError
    for a number out of range."""
    from regard.model.arguments import check_numbers, of_each
    from regard.model.decoding.sampling import sample as draw
    from regard.model.decoding.token_sampling import SamplingSettings

    whole = {"samples": samples, "top_k": top_k, "seed": seed}
    check_numbers(whole, {"temperature": temperature, "top_p": top_p})
    settings = SamplingSettings(temperature, top_k, top_p, samples, seed)
    return of_each(model, [sentence], as_typed, lambda read: [one.trace for one in draw(model, read[0], settings)])


@overload
def align(model: "AnyModel", sources: str, targets: str, reading: Reading = "weights") -> Links: ...
@overload
def align(model: "AnyModel", sources: Texts, targets: Texts, reading: Reading = "weights") -> list[Links]: ...
def align(
    model: "AnyModel", sources: str | Texts, targets: str | Texts, reading: Reading = "weights"
) -> Links | list[Links]:
    """Link the words of given pairs as `regard align` does: pairs (source word, target word) from 0.

    Words are separated by blanks. `reading` is where links come from: the weights, their posterior once the word is
    known, or that posterior with jumps between words. A pair that is too long has no links, with an InputWarning.
    Raises InputError if sources and targets do not correspond, or for a posterior of a Transformer.
    """
    from regard.model.arguments import check_reading, links_of, pairs

    check_reading(model, reading)
    links = [links_of(model, *pair, index, reading) for index, pair in enumerate(pairs(sources, targets))]
    return links[0] if isinstance(sources, str) else links


def export(models: "AnyModel | list[AnyModel] | tuple[AnyModel, ...]", path: "str | Path") -> None:
    """Write a page that translates and steps by itself: one HTML file with a model, or with several to choose from.

    Needs the extra `app`. Raises InputError if the path does not end in .html, or for two models of one name.
    """
    from regard.app.export.translator.document import page
    from regard.model.arguments import check_model
    from regard.model.files import destination, write_file

    file = destination(path, "a page", ".html")
    several = list(models) if isinstance(models, list | tuple) else [models]
    for model in several:
        check_model(model)
    write_file(file, page(several))
