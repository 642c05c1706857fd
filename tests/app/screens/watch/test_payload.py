import pytest

from regard.app.screens.watch.payload import symbols


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("2 5 9", ["2", "5", "9"]),
        ("12 7", ["12", "7"]),
        ("@@@", ["@", "@", "@"]),
        ("9\ufffd\ufffdA 5", ["9", "\ufffd", "\ufffd", "A", "5"]),
        ("\x00\x07 3", ["\ufffd", "\ufffd", "3"]),
        ("", []),
    ],
)
def test_numbers_are_symbols_and_so_is_every_other_character(written: str, seen: list[str]) -> None:
    assert symbols(written) == seen
