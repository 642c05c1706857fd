import pytest

from regard.app.ui.widgets import table

ROWS = [{"Word": "<b>a</b>", "Seen": "1 & 2"}, {"Word": "b", "Seen": ""}]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> str:
    written: list[str] = []
    monkeypatch.setattr("streamlit.html", lambda body: written.append(str(body)))
    table(ROWS, 'all "words"')
    return written[-1]


def test_what_is_typed_is_no_markup(drawn: str) -> None:
    assert "&lt;b&gt;a&lt;/b&gt;" in drawn
    assert "1 &amp; 2" in drawn
    assert "<b>" not in drawn


def test_columns_and_rows_have_their_names(drawn: str) -> None:
    assert '<th scope="col">Word</th><th scope="col">Seen</th>' in drawn
    assert drawn.count('<th scope="row">') == len(ROWS)
