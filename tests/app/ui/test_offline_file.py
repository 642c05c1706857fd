from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from streamlit.testing.v1 import AppTest

from benchmarks.server import ROOT
from regard.app.ui.offline_file import embed_code
from regard.app.visitor.question import Question
from regard.model.checkpoint import Pretrained
from tests.support.exported_page import Parts

HOSTILE = 'She said "</iframe><script>alert(1)</script>" & left.'


def test_the_frame_shares_nothing_and_opens_with_what_was_asked(offer: Callable[..., Pretrained]) -> None:
    offer("mine")
    code = embed_code(Question(HOSTILE, "Elle est partie.", "mine"), several=True)
    ((tag, frame),) = Parts(code).attributes
    assert (tag, frame["sandbox"]) == ("iframe", "allow-scripts")
    address = urlsplit(frame["src"] or "")
    asked = {"sentence": [HOSTILE], "given": ["Elle est partie."], "compare": ["1"]}
    assert (address.path, parse_qs(address.fragment)) == ("regard.html", asked)


def test_the_file_is_made_when_it_is_asked_for_and_its_size_is_told(offer: Callable[..., Pretrained]) -> None:
    offer("mine")
    screen = AppTest.from_file(ROOT / "app" / "frame.py", default_timeout=60)
    screen.query_params["model"] = "mine"
    screen.run()
    names = {button.proto.label for button in screen.get("download_button")}
    screen.button(key="take-along").click().run()
    assert not screen.exception
    (label,) = {button.proto.label for button in screen.get("download_button")} - names
    assert label.startswith("Download regard.html, ")
    assert 'src="regard.html#sentence=' in "".join(code.value for code in screen.code)
