import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.screens.attention_files.inputs import made_here
from regard.model.archive import from_json, to_json
from regard.model.checkpoint import Pretrained
from regard.model.soft_alignments.formats import FORMATS
from regard.model.translate import translate
from tests.support.screens import FRAME, html, switch_page

MARIAN = "je t' aime ||| 0.7,0.2,0.1 0.1,0.8,0.1 0,0,1\nnon ||| 0.5,0.25,0.25"


@pytest.fixture
def screen(offer: Callable[..., Pretrained]) -> AppTest:
    offer("en-fr-general")
    return switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/attention_files/screen.py")


def paste(screen: AppTest, text: str, source: str = "") -> AppTest:
    screen.segmented_control(key="opened_from").set_value("text").run()
    screen.text_area(key="foreign_lines").set_value(source)
    return screen.text_area(key="foreign_text").set_value(text).run()


def picker(screen: AppTest) -> Any:
    (found,) = [one for one in screen.selectbox if str(one.key).startswith("picked-")]
    return found


def test_pasted_text_is_recognised_and_its_sentences_can_be_picked(screen: AppTest) -> None:
    paste(screen.run(), MARIAN, "I love\nno way")
    assert not screen.error
    assert "je t' aime" in html(screen)
    picker(screen).set_value(1).run()
    assert ">non<" in html(screen)
    paste(screen, "guten Morgen ||| 0-0 1-1\ngute Nacht ||| 0-0 1-1\nwrong ||| 0-0 1:1", "a\nb\nc")
    assert [option.partition(": ")[2] for option in picker(screen).options] == ["guten Morgen", "gute Nacht"]
    assert (picker(screen).value, picker(screen).label) == (0, "One of 2 sentences")
    assert ">guten Morgen<" in html(screen)
    assert (
        screen.warning[0].value.replace("\\", "").startswith("Left out: the pasted text, line 3: “1:1” is not a link")
    )


def test_a_wrong_text_says_line_and_reason_and_the_last_one_stays(screen: AppTest) -> None:
    paste(screen.run(), MARIAN)
    paste(screen, MARIAN.splitlines()[0].replace("0.8", "much"))
    assert screen.error[0].value.replace("\\", "").startswith("The pasted text, line 1")
    assert "much" in screen.error[0].value
    assert "Below is still what was here before." in screen.error[0].value.replace("\\", "")
    assert "je t' aime" in html(screen)


def test_links_may_count_from_one(screen: AppTest) -> None:
    paste(screen.run(), "1-1 2-2")
    assert "counted from 1" in html(screen)
    assert "#3" not in html(screen)
    screen.segmented_control(key="counted_from").set_value("0").run()
    assert "#3" in html(screen)
    screen.selectbox(key="read_as").set_value("pharaoh").run()
    screen.segmented_control(key="counted_from").set_value("1").run()
    assert not screen.error
    assert "#1 #2" in html(screen)
    assert "#3" not in html(screen)


def test_a_file_is_read_with_the_second_file_beside_it(screen: AppTest) -> None:
    screen.run().segmented_control(key="opened_from").set_value("file").run()
    assert "Below is an example of ours, marian.txt." in screen.info[0].value.replace("\\", "")
    screen.file_uploader(key="foreign_file").set_value(("notes.txt", b"Call me Ishmael.", "text/plain")).run()
    assert "Below is still an example of ours, marian.txt." in screen.error[0].value.replace("\\", "")
    screen.file_uploader(key="foreign_file").set_value(("out.txt", MARIAN.encode(), "text/plain")).run()
    assert "je t' aime" in html(screen)
    assert "numbered" in html(screen)


def test_what_a_stranger_wrote_is_only_ever_text(screen: AppTest) -> None:
    paste(screen.run(), "<img src=x onerror=alert(1)> ||| 0.5,0.5 0.5,0.5 0.5,0.5")
    shown = "".join(element.proto.body for element in screen.get("html"))
    assert "&lt;img" in shown
    assert "<img" not in shown
    paste(screen, "**bold** <b> ||| 0.5,:red[x]")
    assert "\\:red\\[x\\]" in screen.error[0].value


def stepper_data(screen: AppTest) -> str:
    (mounted,) = [each.proto for each in screen.get("bidi_component") if "stepper" in each.proto.component_name]
    return str(mounted.bytes)


def test_columns_are_left_out_and_colours_chosen_only_on_request_and_the_picture_says_so(screen: AppTest) -> None:
    paste(screen.run(), MARIAN, "I love\nno way")
    assert "renormalised" not in stepper_data(screen)
    assert "Confidence of the alignment: −" in screen.caption[-1].value.replace("-", "−")
    screen.button_group(key="left_out").set_value(["</s>"])
    screen.segmented_control(key="colours").set_value("logarithmic").run()
    assert not screen.exception
    assert "Without </s>, rows renormalised. Colours are logarithmic." in stepper_data(screen)
    paste(screen, "0-0 1-1")
    assert "renormalised" not in stepper_data(screen)
    paste(screen, "a ||| 1.0", "x")
    screen.button_group(key="left_out").set_value(["the first token"]).run()
    assert "nothing is left of the source without the first token" in screen.error[0].value


def test_two_files_stand_side_by_side_with_the_difference_of_their_weights(screen: AppTest) -> None:
    paste(screen.run(), MARIAN, "I love\nno way")
    screen.text_area(key="foreign_beside").set_value("0-0 0-1 1-2\n0-0").run()  # with the words of the first
    assert not screen.exception
    assert stepper_data(screen).count('"arrays"') == 2
    assert "the other text gives 100.0 points more weight" in html(screen)
    picker(screen).set_value(1).run()
    assert "gives 50.0 points more weight" in html(screen)


def test_a_link_opens_a_format_and_every_other_can_be_chosen(screen: AppTest) -> None:
    screen.query_params.update({"written_as": FORMATS["nematus"].title})
    screen.run()
    assert f"Read as {FORMATS['nematus'].title}." in html(screen)
    for name, known in FORMATS.items():
        screen.selectbox(key="written_as").set_value(name).run()
        assert not screen.exception
        assert f"Read as {known.title}." in html(screen)


def test_only_a_trace_that_a_model_here_makes_is_recomputed(offer: Callable[..., Pretrained]) -> None:
    model = offer("mine")
    own = translate(model, ["The cat sat on the mat."])[0]
    values = json.loads(to_json(own))
    values["model"]["name"] = "mine"
    assert made_here(from_json(json.dumps(values))) is not None
    changed = {**values, "weights": values["weights"][::-1]}
    assert made_here(from_json(json.dumps(changed))) is None
    values["model"]["name"] = "../../mine"
    assert made_here(from_json(json.dumps(values))) is None
