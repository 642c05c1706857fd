from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from benchmarks.load_visitor import LoadVisitor
from regard.app.components.shared.component import SentEdit
from regard.app.screens.translate.changes import TranslateState, hear
from regard.app.visitor.question import EXAMPLE
from regard.model.changes import what_if
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.event_loop import run_coroutine
from tests.support.screens import FRAME
from tests.support.sent import numbers, sent

COLD = Intervention(hidden=(0,), temperature=0.5)


@pytest.fixture
def screen(shipped: Pretrained) -> AppTest:
    return AppTest.from_file(FRAME, default_timeout=60)


@pytest.fixture
def opened(screen: AppTest) -> Callable[..., AppTest]:
    """The page that a link opens; whatever else the link should hold is named."""

    def open_(changes: str, **otherwise: str) -> AppTest:
        screen.query_params.update({"change": changes} | otherwise)
        return screen.run()

    return open_


def data(screen: AppTest) -> dict:
    """Return the data sent to the browser."""
    return sent(screen.get("bidi_component")[0])


def weights(screen: AppTest) -> list[np.ndarray]:
    return [numbers(trace["arrays"]["weight"]) for trace in data(screen)["traces"]]


def listed(screen: AppTest) -> list[str]:
    return [button.label.replace("\\", "") for button in screen.button if str(button.key).startswith("change-")]


def same(screen: AppTest, model: Pretrained, changes: Intervention) -> bool:
    """True if the last column shows the translation with these changes, and the first the one without."""
    before, after = translate(model, [EXAMPLE])[0], what_if.translate(model, EXAMPLE, changes)
    shown = weights(screen)
    return np.array_equal(shown[0], before.weights) and np.array_equal(shown[-1], after.weights)


def test_a_link_with_changes_shows_before_and_after(opened: Callable[..., AppTest], shipped: Pretrained) -> None:
    screen = opened(COLD.to_json())
    assert not screen.exception
    assert len(weights(screen)) == 2
    assert same(screen, shipped, COLD)
    assert not data(screen)["edit"]  # side by side only for those who ask for it
    assert listed(screen) == ["“I” is masked", "softmax temperature 0.5"]
    assert [head["title"] for head in data(screen)["what_if"]["heads"]] == ["Before", "After"]


def test_taking_out_each_change_restores_the_original(opened: Callable[..., AppTest], shipped: Pretrained) -> None:
    screen = opened(COLD.to_json())
    screen.button(key="change-0").click().run()
    assert listed(screen) == ["softmax temperature 0.5"]
    assert same(screen, shipped, Intervention(temperature=0.5))
    assert Intervention.from_json(screen.query_params["change"]) == Intervention(temperature=0.5)
    screen.button(key="change-0").click().run()
    assert not listed(screen)
    assert len(weights(screen)) == 1
    assert same(screen, shipped, UNTOUCHED)
    assert "change" not in screen.query_params


def test_undo_redo_and_reset_go_through_the_changes(opened: Callable[..., AppTest], shipped: Pretrained) -> None:
    screen = opened(COLD.to_json())
    ways = {button.label: button for button in screen.button}
    assert ways["Redo"].disabled
    ways["Reset"].click().run()
    assert len(weights(screen)) == 1
    first = Intervention(hidden=COLD.hidden)  # of a link, too, changes are taken back one by one
    ways_back = (("Undo", COLD), ("Redo", UNTOUCHED), ("Undo", COLD), ("Undo", first), ("Undo", UNTOUCHED))
    for way, changes in ways_back:
        next(button for button in screen.button if button.label == way).click().run()
        assert same(screen, shipped, changes), way


def test_changes_stay_with_their_sentence_also_with_another_model(opened: Callable[..., AppTest]) -> None:
    screen = opened(COLD.to_json())
    screen.selectbox(key="model").set_value("en-fr-dot").run()
    assert Intervention.from_json(screen.query_params["change"]) == COLD == screen.session_state.translate.changes
    assert len(weights(screen)) == 2
    screen.text_input(key="sentence").set_value("She has a red car.").run()
    assert "change" not in screen.query_params
    assert len(weights(screen)) == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (Intervention(tokens=((60, 300),)), "step 61 is past the end"),
        (Intervention(hidden=(99,)), "source token 100 is past the end"),
        (Intervention(hidden=tuple(range(5))), "every source token is masked"),
        (Intervention(words=((9, "x"),)), "source word 10 is past the end"),
        (Intervention(words=((1, "really " * 28),)), "Shorten it"),
    ],
)
def test_a_link_with_a_change_that_cannot_be_made_says_why_and_shows_the_original(
    opened: Callable[..., AppTest], shipped: Pretrained, changes: Intervention, reason: str
) -> None:
    sentence = "word " * 60 if "Shorten" in reason else EXAMPLE
    screen = opened(changes.to_json(), sentence=sentence.strip())
    assert not screen.exception
    assert reason in screen.error[0].value
    assert len(weights(screen)) == 1
    assert "change" not in screen.query_params
    screen.run()
    assert not screen.error


def test_hostile_text_in_a_change_is_shown_and_never_read_as_markup(opened: Callable[..., AppTest]) -> None:
    text = "<b>x</b> :red[y] $z$"
    screen = opened(Intervention(words=((1, text),)).to_json())
    assert not screen.exception
    assert listed(screen) == [f"“love” is replaced by “{text}”"]
    label = next(button.label for button in screen.button if button.key == "change-0")
    assert ":red[" not in label.replace("\\:", "")


def test_changes_from_the_browser_are_made_once_however_often_they_come(
    screen: AppTest, shipped: Pretrained, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen.query_params["sentence"] = EXAMPLE
    screen.run()
    remembered = {name: screen.session_state[name] for name in ("translate", "visit")}
    state = _State(remembered)
    monkeypatch.setattr("regard.app.screens.translate.changes.st.session_state", state)
    first = SentEdit.model_validate({"kind": "mask", "positions": [0], "masked": True, "number": 1})
    second = SentEdit.model_validate({"kind": "temperature", "value": 0.5, "number": 2})
    everything = {"kind": "mask", "positions": [0, 1, 2, 3, 4], "masked": True, "number": 3}
    hear([first])
    hear([first, second])
    hear([first, second, SentEdit.model_validate(everything)])
    now: TranslateState = state["translate"]
    assert now.changes == COLD
    assert len(now.session.history.past) == 2
    assert "every source token is masked" in now.session.refused
    hear([SentEdit(kind="undo", number=4)])
    assert now.changes == Intervention(hidden=(0,))


class _State(dict):
    """Session state outside a session: what is remembered is read by name."""

    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


def test_a_change_that_comes_with_a_preview_is_shown(app_url: str, shipped: Pretrained) -> None:
    """A busy page says both in one request, and the preview alone asks for a run of its own part."""
    length = len(translate(shipped, ["There is a dog."])[0].source_ids)
    row = [0.75, 0.25, *[0.0] * (length - 2)]

    async def visit() -> str:
        visitor = LoadVisitor(app_url)
        await visitor.arrive({"sentence": "There is a dog."})
        preview = {"nonce": 1, "step": 0, "row": row}
        answer = await visitor.tell(preview=preview, edit=[{"number": 1, "kind": "weights", "step": 0, "row": row}])
        await visitor.leave()
        return answer.texts

    assert "with what you changed" in run_coroutine(visit())
