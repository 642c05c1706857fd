import pytest

from regard.app.ui.widgets import table


def test_a_table_names_its_columns_and_rows_and_what_is_typed_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr("streamlit.html", lambda body: written.append(str(body)))
    table([{"Word": "<b>a</b>", "Seen": "1 & 2"}, {"Word": "b", "Seen": ""}], 'all "words"')
    (drawn,) = written
    assert "&lt;b&gt;a&lt;/b&gt;" in drawn
    assert "1 &amp; 2" in drawn
    assert "<b>" not in drawn
    assert '<th scope="col">Word</th><th scope="col">Seen</th>' in drawn
    assert drawn.count('<th scope="row">') == 2
