import base64
import json
import re
import sys
from html import unescape
from types import SimpleNamespace

import pytest

import regard
from regard.app.export import notebook
from regard.app.export.document import code, style
from regard.app.export.page import page
from regard.model.alignment import token_label
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace, TraceList
from tests.support.exported_page import Parts


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A kernel of IPython whose cell a test chooses."""
    shell = SimpleNamespace(execution_count=1, get_parent=lambda: {"metadata": {"cellId": shell.id}}, id="a")
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(notebook, "_carriers", [])
    return shell


def test_the_script_is_in_a_notebook_once(before: Trace, cell: SimpleNamespace) -> None:
    first, second = before._repr_html_(), before._repr_html_()
    assert [output.count("regard-shared") - output.count(".regard-shared") for output in (first, second)] == [1, 0]
    assert len(first) - len(second) > 0.9 * (len(style()) + len(code()))
    cell.execution_count, cell.id = 2, "b"
    assert 'class="regard-shared"' not in before._repr_html_()
    cell.execution_count, cell.id = 3, "a"  # whose output is replaced
    assert 'class="regard-shared"' in before._repr_html_()


def test_the_pieces_of_an_output_are_the_page(before: Trace, cell: SimpleNamespace) -> None:
    pieces, shared = (json.loads(text) for text in Parts(before._repr_html_()).text["script"][:2])
    ((one, two, three),) = pieces
    assert f"{one}{shared['style']}{two}{shared['code']}{three}" == page([before])


def test_without_scripts_it_is_a_picture_of_the_weights(before: Trace, cell: SimpleNamespace) -> None:
    for shown in (before, TraceList([before]), regard.show(before.weights, before.source, before.target)):
        output = shown._repr_html_()
        drawing = base64.b64decode(re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', output)[0]).decode()
        names = [unescape(name).lstrip("·") for name in re.findall(r'end">([^<]*)<', drawing)]
        assert names == [token_label(token).lstrip("·") for token in before.target]
        weights = [float(opacity) for opacity in re.findall(r'fill-opacity="([^"]*)"', drawing)]
        assert sum(weights) == pytest.approx(len(before.target), abs=0.0005 * before.weights.size)
        note = output.index("trust the notebook")
        assert output.index("<img") < note < output.index("<iframe")
        assert "hidden" not in output[:note]


def test_a_list_shows_a_choice(tiny_model: Pretrained) -> None:
    traces = regard.translate(tiny_model, ["I love you.", "A </script> cat.", "I love you."])
    assert isinstance(traces, TraceList)
    parts = Parts(traces._repr_html_())
    assert [option.split(" → ")[0] for option in parts.text["option"]] == [
        "1: I love you.",
        "2: A </script> cat.",
        "3: I love you.",
    ]
    assert len(json.loads(parts.text["script"][0])) == 3
    assert "No traces" in TraceList()._repr_html_()


def test_a_long_list_shows_its_first_ones_and_says_so(before: Trace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notebook, "ROOM", 1)
    output = TraceList([before] * 1200)._repr_html_()
    assert "The first 1 of 1,200." in output
