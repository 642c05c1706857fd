"""The LaTeX symbols of worked examples as pieces of plain text, for places without KaTeX."""

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


class SymbolPiece(NamedTuple):
    """Some letters of a symbol; `kind` is "", "sub", "sup", or "word" for upright letters."""

    text: str
    kind: str = ""


def pieces(latex: str) -> list[SymbolPiece]:
    """Return the pieces of the symbol, from left to right."""
    symbols: list[SymbolPiece] = []
    for match in PART.finditer(latex):
        piece = _piece(match)
        if symbols and symbols[-1].kind == piece.kind == "":
            piece = SymbolPiece(symbols.pop().text + piece.text)
        symbols.append(piece)
    return symbols


def plain(latex: str) -> str:
    """Return the symbol as a line of text, such as: W_c."""
    return "".join(f"_{piece.text}" if piece.kind == "sub" else piece.text for piece in pieces(latex))


def _piece(match: re.Match[str]) -> SymbolPiece:
    if match["word"]:
        return SymbolPiece(_inside(match["word"]), "word")
    if match["accent"]:
        return SymbolPiece(_inside(match["under"]) + ACCENTS[match["accent"]])
    if match["shift"]:
        return SymbolPiece(plain(_inside(match["shifted"])), "sub" if match["shift"] == "_" else "sup")
    if match["sign"]:
        return _sign(match["sign"])
    return SymbolPiece(" " if match["space"] else match["letter"].replace("-", "−").replace("'", "′"))


def _inside(text: str) -> str:
    return text[1:-1] if text.startswith("{") else text


def _sign(name: str) -> SymbolPiece:
    """Return a Greek letter, a known sign, or the name itself, such as tanh."""
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return SymbolPiece(SIGNS.get(name) or unicodedata.lookup(f"GREEK {case} LETTER {name}"))
    except KeyError:
        return SymbolPiece(f"{name} ", "word")
