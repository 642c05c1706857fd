"""Label of a token in a sentence about a number."""


def token_label(token: str) -> str:
    """Return a token as text, with a dot where it continues a word: “aime” after a blank, “·aime” after “t'”."""
    if token.startswith(" "):
        return token[1:] or "␣"
    return f"·{token}" if token[:1].isalnum() else token
