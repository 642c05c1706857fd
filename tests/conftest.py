"""Fixtures for all tests: small random models, the shipped model, the real app. A single thread computes."""

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, settings
from streamlit import config
from streamlit.components.v2.manifest_scanner import scan_component_manifests

from benchmarks.server import ROOT, serve
from regard.app.models.result_cache import forget_all
from regard.model import checkpoint
from regard.model.checkpoint import Pretrained, load, save
from regard.model.seq2seq import Seq2Seq
from regard.model.tokenizer import Tokenizer, train_tokenizer
from regard.model.trace import Trace
from regard.model.transformer.checkpoint import PretrainedTransformer, load_transformer
from regard.model.translate import translate
from regard.model.uploads import admission
from tests.support.exported_page import SENTENCE, changed
from tests.support.model_zips import files
from tests.support.small_texts import PAIRS, TINY
from tests.support.small_transformer import small_transformer

SHARED = ("axe", "every_example", "lesson_visitor", "pupil", "same_recording")  # checks of several tests

torch.set_num_threads(1)
os.environ.setdefault("REGARD_TRANSLATOR_PROCESS", "no")  # a test that wants a translator process says so
pytest.register_assert_rewrite(*(f"tests.support.{name}" for name in SHARED))  # so that they explain what fails
# Without deadlines, because a loaded machine is no failure.
settings.register_profile("unhurried", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Set apart what is loaded by now, as the server does: Streamlit collects garbage after every run of a page."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def settings_of_the_app() -> None:
    """Read the settings beside `app/main.py`, as `streamlit run` does; tests of screens have no script of their own."""
    config._main_script_path = str(ROOT / "app" / "main.py")
    config.get_config_options(force_reparse=True)


@pytest.fixture(scope="session", autouse=True)
def installed_components() -> Iterator[None]:
    """Streamlit looks through all that is installed for components: once, not before the first run of every page."""
    with pytest.MonkeyPatch.context() as patch:
        scanned = "streamlit.components.v2.manifest_scanner.scan_component_manifests"
        patch.setattr(scanned, cache(scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """Compute on one thread, whatever a command with `--threads` set in an earlier test: sums differ by the threads."""
    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    """Learned from a few sentences: most words are several tokens."""
    english, french = zip(*PAIRS * 4, strict=True)
    return train_tokenizer([("en", english), ("fr", french)], ("en", "fr"), 340)


@pytest.fixture(scope="session")
def make_model(tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Pretrained]:
    """Make a small random model, saved and loaded like any other; name what its config should have otherwise.
    `make_model(score="concat", cell="gru")`. The same config gives the same weights."""

    def make(**otherwise: str | int | float | bool) -> Pretrained:
        torch.manual_seed(1)
        folder = tmp_path_factory.mktemp("model")
        save(Seq2Seq(replace(TINY, vocabulary=len(tokenizer), **otherwise)), tokenizer, folder)
        return load(folder)

    return make


@pytest.fixture(scope="session")
def tiny_model(make_model: Callable[..., Pretrained]) -> Pretrained:
    return make_model()


@pytest.fixture(scope="session")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> PretrainedTransformer:
    """The small Transformer, saved and loaded like any other."""
    model, folder = small_transformer(), tmp_path_factory.mktemp("transformer") / "small"
    save(model.network, model.tokenizer, folder)
    return load_transformer(folder)


@pytest.fixture(scope="session")
def before(tiny_model: Pretrained) -> Trace:
    """A translation in which nothing is changed."""
    return translate(tiny_model, [SENTENCE])[0]


@pytest.fixture(scope="session")
def after(tiny_model: Pretrained) -> Trace:
    """The translation of `before` with a change of every kind."""
    return changed(tiny_model)


@pytest.fixture(scope="session")
def restless(make_model: Callable[..., Pretrained]) -> Pretrained:
    """A random model whose preferences are strong, so that some of its translations end."""
    model = make_model()
    with torch.no_grad():
        for parameter in model.network.parameters():
            parameter.mul_(5)
    return model


@pytest.fixture
def offer(
    make_model: Callable[..., Pretrained], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Pretrained]]:
    """Put small random models, that nobody evaluated, where the app looks for models: `offer("mine", score="dot")`."""

    def put(name: str, **otherwise: str | int | float | bool) -> Pretrained:
        model = make_model(**otherwise)
        shutil.copytree(model.folder, tmp_path / name)
        return model

    monkeypatch.setattr("regard.app.models.registry.PRETRAINED", tmp_path)
    forget_all()
    yield put
    forget_all()


@pytest.fixture(scope="session")
def shipped() -> Pretrained:
    """The model that comes with the program; ValueError names what is missing when it is not there."""
    return load(checkpoint.shipped())


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """The address of the real app, served for this test run."""
    with serve() as served:
        yield served.url


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return all files that a model of ours may have, by name, to pack as an upload."""
    return files(tmp_path_factory.mktemp("good") / "mine")


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Check that a zip is refused, with all of these words, with nothing loaded and nothing on disk."""
    loaded: list[Path] = []
    monkeypatch.setattr(admission, "load_any", loaded.append)

    def check(zipped: bytes, *told: str) -> None:
        place = tmp_path / "scratch" / "new"
        with pytest.raises(ValueError, match=r".") as error:
            admission.admit(zipped, place)
        message = str(error.value)
        assert all(part in message for part in told), message
        assert "\n" not in message
        assert len(message) < 600
        assert loaded == []
        assert not (tmp_path / "scratch").exists()

    return check
