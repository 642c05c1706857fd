"""The symbols of worked examples, which are LaTeX, as pieces of plain text for a place that has no KaTeX."""

import re
import unicodedata
from typing import NamedTuple

SIGNS = {"top": "⊤", "ell": "ℓ", "cdot": "·", "odot": "⊙", "times": "×", "sum": "Σ", "sqrt": "√", "infty": "∞"}
ACCENTS = {"tilde": "\u0303", "hat": "\u0302", "bar": "\u0304"}
BRACED = r"\{(?:[^{}]|\{[^{}]*\})*\}"
PART = re.compile(
    rf"\\(?:text|mathrm|mathbf)(?P<word>{BRACED})"
    rf"|\\(?P<accent>{'|'.join(ACCENTS)})\s*(?P<under>{BRACED}|\w)"
    rf"|(?P<shift>[_^])(?P<shifted>{BRACED}|\\[A-Za-z]+|.)"
    r"|\\(?P<sign>[A-Za-z]+)\s*|(?P<space>\\[,;:! ]|\s+)|(?P<letter>[^\\{}])"
)


class Piece(NamedTuple):
    """Some letters of a symbol; `kind` is "", "sub" or "sup", and "word" for letters that stand upright."""

    text: str
    kind: str = ""


def pieces(latex: str) -> list[Piece]:
    """What the symbol shows, from left to right."""
    found: list[Piece] = []
    for match in PART.finditer(latex):
        piece = _piece(match)
        if found and found[-1].kind == piece.kind == "":
            piece = Piece(found.pop().text + piece.text)
        found.append(piece)
    return found


def plain(latex: str) -> str:
    """The same in a line of text, such as: W_c."""
    return "".join(f"_{piece.text}" if piece.kind == "sub" else piece.text for piece in pieces(latex))


def _piece(match: re.Match[str]) -> Piece:
    if match["word"]:
        return Piece(_inside(match["word"]), "word")
    if match["accent"]:
        return Piece(_inside(match["under"]) + ACCENTS[match["accent"]])
    if match["shift"]:
        return Piece(plain(_inside(match["shifted"])), "sub" if match["shift"] == "_" else "sup")
    if match["sign"]:
        return _sign(match["sign"])
    return Piece(" " if match["space"] else match["letter"].replace("-", "−").replace("'", "′"))


def _inside(text: str) -> str:
    return text[1:-1] if text.startswith("{") else text


def _sign(name: str) -> Piece:
    """A Greek letter, a sign that is known, or the name itself, such as tanh."""
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return Piece(SIGNS.get(name) or unicodedata.lookup(f"GREEK {case} LETTER {name}"))
    except KeyError:
        return Piece(f"{name} ", "word")
