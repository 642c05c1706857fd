import base64
import json
import re

import pytest

import regard
from regard.app.export import notebook
from regard.app.export.page import page
from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace, TraceList
from tests.support.exported_page import Parts


def test_a_trace_is_its_page_in_a_frame_that_shares_nothing_and_without_scripts_a_picture(before: Trace) -> None:
    parts = Parts(before._repr_html_() or "")
    frame = next(attributes for tag, attributes in parts.attributes if tag == "iframe")
    assert frame.keys() == {"srcdoc", "sandbox", "title", "style"}
    assert (frame["sandbox"], frame["srcdoc"]) == ("allow-scripts", page([before]))
    for shown in (before, TraceList([before]), regard.show(before.weights, before.source, before.target)):
        output = shown._repr_html_() or ""
        drawing = base64.b64decode(re.findall(r'src="data:image/svg\+xml;base64,([^"]*)"', output)[0]).decode()
        assert len(re.findall(r'end">([^<]*)<', drawing)) == len(before.target)
        weights = [float(opacity) for opacity in re.findall(r'fill-opacity="([^"]*)"', drawing)]
        assert sum(weights) == pytest.approx(len(before.target), abs=0.0005 * before.weights.size)
        assert output.index("<img") < output.index("trust the notebook") < output.index("<iframe")


def test_a_list_shows_a_choice_of_as_many_as_there_is_room_for(
    tiny_model: Pretrained, before: Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = regard.translate(tiny_model, ["I love you.", "A </script> cat.", "I love you."])
    assert isinstance(traces, TraceList)
    parts = Parts(traces._repr_html_())
    sources = [option.split(" → ")[0] for option in parts.text["option"]]
    assert sources == ["1: I love you.", "2: A </script> cat.", "3: I love you."]
    data = json.loads(parts.text["script"][0])
    one, two, three = data["pages"][0]
    assert f"{one}{data['style']}{two}{data['code']}{three}" == page([traces[0]])
    assert "No traces" in TraceList()._repr_html_()
    monkeypatch.setattr(notebook, "ROOM", 1)
    assert "The first 1 of 1,200." in TraceList([before] * 1200)._repr_html_()
