"""`translate`: sentences in, exactly one line out for each."""

import argparse
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from tqdm import tqdm

from regard.model.alignment import AFTER
from regard.model.archive import to_json, to_json_afterwards
from regard.model.changes import what_if
from regard.model.changes.intervention import EXAMPLE, HEADS_EXAMPLE, UNTOUCHED, Intervention
from regard.model.checkpoint import AnyModel, AnyPretrained, Pretrained, device_of
from regard.model.commands.command_line import add_device, add_model, input_lines, put, tell
from regard.model.decoding import beam
from regard.model.decoding.beam_tree import WIDEST, BeamSettings
from regard.model.files import write_file
from regard.model.input_error import InputError, naming
from regard.model.network import TraceT
from regard.model.readable import CHARACTERS, MOST, is_cut, reads_bytes, remark, shorten
from regard.model.trace import AnyTrace, Trace
from regard.model.transformer.checkpoint import load_any
from regard.model.translate import BATCH, of_nothing, stream
from regard.model.truecasing import not_english, read_as
from regard.model.word_alignment.posterior import posterior
from regard.model.words import normalise, visible_note

CHUNK = 1024  # lines translated before the first of them is printed
TRACES = 8  # traced together: all their numbers are in memory at once
BREAKS = re.compile("[\x85\u2028\u2029]")  # line breaks that JSON leaves unescaped
Sentences = Mapping[int, str]  # by number, from 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    about = "sentences to translate (default: each line of standard input)"
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE", help=about)
    add_model(parser)
    add_device(parser)
    about = "beam search of this width (default: greedy decoding)"
    parser.add_argument("--beam", type=int, default=1, metavar="N", help=about)
    about = f"sentences decoded together; more need more memory (default: {BATCH}, with --json {TRACES})"
    parser.add_argument("--batch", type=int, metavar="N", help=about)
    about = "show progress from the first sentence on (default: after a second)"
    parser.add_argument("--progress", action="store_true", help=about)
    about = "print every number of each translation, one JSON trace per line"
    parser.add_argument("--json", action="store_true", help=about)
    about = "keep capitals, apostrophes and spelling (default: MY FREIND IS HERE is read as My friend is here)"
    parser.add_argument("--as-typed", action="store_true", help=about)
    about = f"change each translation as this JSON file says, such as {EXAMPLE}; heads as in {HEADS_EXAMPLE}"
    parser.add_argument("--intervention", type=Path, metavar="FILE", help=about)
    about = "also write one sentence as a page that steps offline; with --intervention before and after it"
    parser.add_argument("--html", type=Path, metavar="FILE", help=about)
    about = (
        "with --json and --html, weights alone or also their posterior once the word is known (default: %(default)s)"
    )
    parser.add_argument("--reading", choices=("weights", AFTER), default="weights", help=about)
    parser.epilog = (
        "Exactly one line of UTF-8 is printed for each sentence, in order. A blank sentence gives a blank line, with "
        f"--json the trace of an empty translation. Sentences of over {MOST} are cut, and invalid bytes are replaced "
        "by \ufffd; standard error names such sentences, and those that do not look like English, which are read as "
        "typed. Steps and source tokens of an intervention count from 0; one that does not fit a sentence ends the "
        "command, and the error names the sentence."
    )


def run(arguments: argparse.Namespace) -> None:
    if not 1 <= arguments.beam <= WIDEST:
        raise InputError(f"--beam is {arguments.beam}; it must be from 1 to {WIDEST}")
    if arguments.batch is not None and arguments.batch < 1:
        raise InputError(f"--batch is {arguments.batch}; it must be at least 1")
    changes = _intervention(arguments)
    model = load_any(arguments.model, device_of(arguments.device))
    sentences = arguments.sentences or list(input_lines())
    if arguments.html is not None and len(sentences) != 1:
        raise InputError(f"--html makes a page of one sentence; there are {len(sentences)}")
    if arguments.reading == AFTER and not (arguments.json or arguments.html):
        raise InputError(f"--reading {AFTER} needs --json or --html, which show numbers")
    if arguments.json:
        answer = partial(_traces, reading=arguments.reading, batch=arguments.batch or TRACES)
    else:
        answer = partial(_texts, batch=arguments.batch or BATCH)
    chunk: dict[int, str] = {}
    with tqdm(total=len(sentences), unit="sentence", delay=0 if arguments.progress else 1, mininterval=0.5) as bar:
        for start in range(0, len(sentences), CHUNK):
            chunk = {
                number: _readable(model, text, number, arguments.as_typed)
                for number, text in enumerate(sentences[start : start + CHUNK], start + 1)
            }
            for line in answer(model, chunk, arguments.beam, changes):
                put(line)
                bar.update()
    if arguments.html is not None:
        write_file(arguments.html, _page(model, chunk[1], arguments, changes))


def _intervention(arguments: argparse.Namespace) -> Intervention:
    if arguments.intervention is None:
        return UNTOUCHED
    if arguments.beam > 1:
        raise InputError("--intervention changes greedy decoding; omit --beam")
    with naming(arguments.intervention):
        try:
            text = arguments.intervention.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"not JSON in UTF-8 ({error})") from error
        return Intervention.from_json(text)


def _readable(model: AnyModel, text: str, number: int, as_typed: bool) -> str:
    readable = shorten(model.tokenizer, text, side=0)
    if is_cut(text, readable):
        tell(f"sentence {number} has more than {MOST}; its first {len(readable):,} characters are translated")
    read = readable if as_typed else read_as(readable, model.tokenizer.languages[0])
    if note := visible_note(text[:CHARACTERS], model.tokenizer.languages[0]):
        tell(f"sentence {number} is read as: {read} ({note})")
    elif read != readable:
        tell(f"sentence {number} is read as: {read} (--as-typed keeps it as it is)")
    foreign = "" if as_typed else not_english(readable, model.tokenizer.languages[0])
    for message in filter(None, (remark(model.tokenizer, read, side=0), foreign)):
        tell(f"sentence {number}: {message}")
    return read


def _texts(model: AnyModel, sentences: Sentences, width: int, changes: Intervention, batch: int) -> Iterator[str]:
    filled = {number: sentence for number, sentence in sentences.items() if sentence}
    if changes == UNTOUCHED:
        written = beam.write(model, list(filled.values()), BeamSettings(width), batch)
    else:
        language = model.tokenizer.languages[1]
        written = (
            normalise(trace.text, language) for trace in what_if.translate_each(model, filled, changes, "sentence")
        )
    for number, sentence in sentences.items():
        text = next(written) if sentence else ""
        if text and changes == UNTOUCHED and reads_bytes(model.tokenizer, sentence):
            (trace,) = _made(model, {number: sentence}, width, changes)
            text = normalise(trace.text, model.tokenizer.languages[1])
            if trace.carried_note:
                tell(f"sentence {number}: {trace.carried_note}")
        yield text


def _traces(
    model: AnyModel, sentences: Sentences, width: int, changes: Intervention, reading: str, batch: int
) -> Iterator[str]:
    numbered = list(sentences.items())
    for start in range(0, len(numbered), batch):
        group = numbered[start : start + batch]
        filled = {number: sentence for number, sentence in group if sentence}
        traces = iter(_made(model, filled, width, changes))
        for _, sentence in group:
            trace = next(traces) if sentence else of_nothing(model)
            if reading == AFTER:
                attending, trace = _of_one_attention(model, trace)
                json = to_json_afterwards(trace, posterior(attending, trace))
            else:
                json = to_json(trace)
            yield BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", json)


def _of_one_attention(model: AnyModel, trace: AnyTrace) -> tuple[Pretrained, Trace]:
    """Return model and trace. Raises InputError if the posterior is not defined for this network."""
    if not isinstance(model, Pretrained) or not isinstance(trace, Trace):
        raise InputError(f"--reading {AFTER} is defined for one attention; {model.name} is a Transformer")
    return model, trace


def _made(model: AnyPretrained[TraceT], sentences: Sentences, width: int, changes: Intervention) -> list[TraceT]:
    if changes != UNTOUCHED:
        return list(what_if.translate_each(model, sentences, changes, "sentence"))
    texts = list(sentences.values())
    if width > 1:
        return beam.translate(model, texts, BeamSettings(width))
    return list(stream(model, texts, max(1, len(texts))))


def _page(model: AnyModel, sentence: str, arguments: argparse.Namespace, changes: Intervention) -> str:
    """Return an HTML document about one sentence."""
    from regard.app.export.page import page  # needed only for writing a page; translating does not need `app`

    if not sentence:
        return page([of_nothing(model)])
    traces = _made(model, {1: sentence}, arguments.beam, UNTOUCHED)
    if changes != UNTOUCHED:
        traces += _made(model, {1: sentence}, arguments.beam, changes)
    checked = [_of_one_attention(model, trace) for trace in traces if arguments.reading == AFTER]
    return page(traces, posteriors=[posterior(*one) for one in checked])
