import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from regard.app.worked_example.paper import document
from regard.app.worked_example.study import code
from regard.model.examples.program import in_numpy, in_torch, notebook, script
from regard.model.examples.tutorials import LUONG_GENERAL


def page() -> None:
    """Run as the test's script: the block with a matrix other than the example's own."""
    from regard.app.worked_example.study import code
    from regard.model.examples.tutorials import LUONG_GENERAL

    code(LUONG_GENERAL, LUONG_GENERAL.matrices() | {"q": LUONG_GENERAL.matrices()["q"] + 1}, key="test")


@pytest.fixture
def screen() -> AppTest:
    return AppTest.from_function(page, default_timeout=30).run()


def test_it_begins_with_the_lines_that_run(screen: AppTest) -> None:
    assert not screen.exception
    assert [block.value for block in screen.code] == [in_numpy(LUONG_GENERAL).strip()]


def test_pytorch_is_one_click_away_with_the_readers_numbers(screen: AppTest) -> None:
    screen.segmented_control(key="library-test").set_value("PyTorch").run()
    matrices = LUONG_GENERAL.matrices()
    assert screen.code[0].value == in_torch(LUONG_GENERAL, matrices | {"q": matrices["q"] + 1}).strip()
    assert "q = torch.tensor([1.6, 0.6, 1.5])" in screen.code[0].value


def test_what_is_downloaded_has_the_readers_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = {}

    def taken(label: str, data: object, file_name: str, *_: object, **__: object) -> None:
        offered[file_name] = data

    monkeypatch.setattr(st, "download_button", taken)
    matrices = LUONG_GENERAL.matrices()
    matrices["q"] = matrices["q"] + 1
    code(LUONG_GENERAL, matrices, key="test")
    assert {name: make() for name, make in offered.items()} == {
        "regard-luong-general.py": script(LUONG_GENERAL, matrices),
        "regard-luong-general.ipynb": notebook(LUONG_GENERAL, matrices),
        "regard-luong-general.html": document(LUONG_GENERAL, matrices, blank=False),
        "regard-luong-general-worksheet.html": document(LUONG_GENERAL, matrices, blank=True),
    }
