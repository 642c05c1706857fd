"""Models and their records, loaded once and shared by all visitors.

Cached values are frozen and keyed by everything they depend on, so nobody can see or change another visitor's input.
"""

from dataclasses import asdict, replace
from typing import Any

import streamlit as st

from regard.app.models import records
from regard.app.models.registry import alike, folder, languages, model_names, own, ships
from regard.app.models.result_cache import remembered
from regard.app.wording import between, model_title
from regard.model.checkpoint import CONFIG, AnyModel, Pretrained
from regard.model.doubt.chance import Doubt
from regard.model.doubt.chance import load as load_doubt
from regard.model.input_error import InputError
from regard.model.synthetic.tasks import TASKS
from regard.model.training.snapshots import SNAPSHOTS, Snapshots
from regard.model.transformer.checkpoint import load_any, load_config

HASH_DIGITS = 8
OF_ONE_ATTENTION = "{} is a Transformer, which has many heads; this needs a model with a single attention"


@remembered("Reading the model's weights")
def any_pretrained(name: str) -> AnyModel:
    """Return a model of any network, ready to translate. Raises InputError naming the file that is missing or wrong."""
    return replace(load_any(folder(name)), name=name)  # may differ from the folder's name


def weights_hash(name: str) -> str:
    """Return the first digits of a model's fingerprint, for links; "" for one that cannot be read."""
    try:
        return any_pretrained(name).fingerprint[:HASH_DIGITS]
    except InputError:
        return ""


def pretrained(name: str) -> Pretrained:
    """Return a model with a recurrent network. Raises InputError for a Transformer too."""
    model = any_pretrained(name)
    if not isinstance(model, Pretrained):
        raise InputError(OF_ONE_ATTENTION.format(name))
    return model


def title(name: str) -> str:
    """Return a model's title on screen: its attention, and its folder too unless it came with the program."""
    return titles().get(name, name)


def titles() -> dict[str, str]:
    """Return the titles of all models on offer to this visitor."""
    mine = own()
    everybodys = _titles(tuple(name for name in model_names() if name not in mine))
    return {**everybodys, **{name: model.title for name, model in mine.items()}}


@st.cache_resource(max_entries=4, show_spinner=False)
def _titles(names: tuple[str, ...]) -> dict[str, str]:
    """Return the titles of these models together; one that cannot be read is called by its folder. A folder that the
    server was started with is named in every title, so that models of one's own are told apart."""
    titles, usual = {}, languages(names[0])
    for name in names:
        try:
            config = load_config(folder(name) / CONFIG)
            titles[name] = model_title(config)
            if usual and config.languages != usual:
                task = records.training(folder(name)).get("task")  # that it practised
                known = isinstance(task, str) and task in TASKS
                titles[name] += f" · {task if known else between(config.languages)}"
            if not ships(name):
                titles[name] += f" ({name})"
        except InputError:
            titles[name] = name
    called = list(titles.values())
    return {name: title if called.count(title) == 1 else f"{title} ({name})" for name, title in titles.items()}


def without_attention(name: str) -> str:
    """Return a model on offer with the same languages and no attention, or ""."""
    return next((other for other in alike(name) if not attends(other)), "")


def with_attention(name: str) -> str:
    """Return a model on offer that differs from this one only in having attention, or "".

    Without attention a decoder also begins with the encoder's last states; that difference does not count.
    """
    try:
        plain = _apart_from_attention(name)
        return next((other for other in alike(name) if attends(other) and _apart_from_attention(other) == plain), "")
    except InputError:
        return ""


def _apart_from_attention(name: str) -> dict[str, Any]:
    config = asdict(load_config(folder(name) / CONFIG))
    return {key: value for key, value in config.items() if key not in ("score", "initial_state")}


@remembered()
def attends(name: str) -> bool:
    """True if a model has attention; one that cannot be read counts as having it, and is reported when used."""
    try:
        return load_config(folder(name) / CONFIG).attends
    except InputError:
        return True


@remembered()
def scores(name: str) -> dict[str, Any]:
    """Return the results of `regard evaluate`; empty if it was never run."""
    return records.scores(folder(name))


@remembered()
def snapshots(name: str) -> Snapshots | None:
    """Return the snapshots recorded while the model learned, or None."""
    file = folder(name) / SNAPSHOTS
    return Snapshots.load(file) if file.is_file() else None


@remembered()
def history(name: str) -> list[dict[str, float]]:
    """Return how the losses fell, a row per validation; empty without a record.

    A run that continued from an earlier one counts its updates on from there, as its snapshots do.
    """
    begun = (records.training(folder(name)).get("began_with") or {}).get("updates") or 0
    return [row | {"update": begun + row["update"]} for row in records.history(folder(name))]


def training(name: str) -> dict[str, str]:
    """Return what tells one training from another: its updates, those of earlier runs included, and its text, as a text
    that is equal if the files, their lengths and the updates before the last run are."""
    record, rows = records.training(folder(name)), history(name)
    begun = (record.get("began_with") or {}).get("updates")
    text = repr((record.get("files"), record.get("source_tokens"), begun)) if record else "unknown"
    return {"updates": f"{rows[-1]['update']:,.0f}" if rows else "unknown", "text": text}


def training_text(name: str) -> str:
    """Return what a model was trained on, as its card says it; "" without a record."""
    record = records.training(folder(name))
    pairs = record.get("pairs", {}).get("for training")
    generated = ", and pairs generated from them and from templates" * (len(record.get("epoch", {})) > 1)
    return f"{pairs:,} sentence pairs{generated}" if pairs else ""


@remembered()
def usual_length(name: str) -> int:
    """Return the length in tokens that 99% of its training sentences stay within, or the page's limit."""
    return records.usual_length(folder(name))


@remembered()
def doubt(name: str) -> Doubt | None:
    """Return the fit that estimates whether this model's translations are right, or None if its weights have none."""
    return load_doubt(folder(name), any_pretrained(name).fingerprint)


@remembered()
def card(name: str) -> str:
    """Return the model card without its title; commands write it from the records of training and evaluation."""
    written = records.card(folder(name)).partition("\n")[2]
    return written or "This model has no card; `regard evaluate` writes one."
