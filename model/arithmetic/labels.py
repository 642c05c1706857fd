"""Label of a token in a sentence about a number."""


def token_label(token: str) -> str:
    """Letters and digits that go on a word have a dot: “aime” after a blank and “aime” after “t'” are two tokens."""
    if token.startswith(" "):
        return token[1:] or "␣"
    return f"·{token}" if token[:1].isalnum() else token
