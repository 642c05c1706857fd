"""The step at which a single translation opens: one at which there is something to see.

`telling_step.toml` has the words that say little on their own. The twin of app/export/engine/payload.js.
"""

import re
from typing import Any

from regard.model.alignment import Sentence
from regard.model.files import toml_beside
from regard.model.trace import AnyTrace

TABLES: dict[str, Any] = toml_beside(__file__, "telling_step.toml")
FUNCTION_WORDS = {language: frozenset(words.split()) for language, words in TABLES["function_words"].items()}
WHOLE = 3  # the rank of a whole word, at least
_LETTERS = re.compile(r"[^\W\d_]")


def telling_step(trace: AnyTrace) -> int:
    """Return the step at which a translation opens, from 1.

    It writes a whole content word and looks at one. Among such steps, one that is out of order comes first (its source
    token stands to the right of a later one's), then the one whose second choice was likeliest. A translation without
    such a step opens at its most telling other one; an example, at the word that it is about.
    """
    alignment = trace.alignment
    source, target = map(_ranks, (alignment.source, alignment.target))
    looked = trace.weights.argmax(1)
    worth = [_worth(written, source[position]) for written, position in zip(target, looked, strict=True)]
    best = [step for step, value in enumerate(worth) if value == max(worth)]
    crossing = [step for step in best if any(looked[later] < looked[step] for later in best if later > step)]
    about = TABLES["about"].get(alignment.source.text)
    named = [step for step in range(len(looked)) if alignment.target.tokens[step].strip() == about]
    return max(named or crossing or best, key=lambda step: trace.top_probabilities[step, 1]) + 1


def _worth(written: int, looked_at: int) -> tuple[bool, int, int]:
    """Return how much there is to see at a step, by the ranks of its two tokens."""
    return written >= WHOLE and looked_at > 0, min(written, looked_at), written


def _ranks(sentence: Sentence) -> list[int]:
    """Return how telling each token is: 4 for a whole content word, 3 for another whole word, 2 for the first piece of
    a word, 1 for a later one, 0 for a mark or the end of the sentence."""
    little = FUNCTION_WORDS.get(sentence.language, frozenset())
    ranks = []
    for position, word in enumerate(sentence.word_of):
        text = sentence.words[word]
        if word >= sentence.spoken or not _LETTERS.search(text):
            ranks.append(0)
        elif sentence.word_of.count(word) > 1:
            ranks.append(2 if position == sentence.word_of.index(word) else 1)
        else:
            ranks.append(WHOLE if text.casefold() in little else 4)
    return ranks
