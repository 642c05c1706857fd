"""A table of sentence pairs of which some are kept apart from training, whoever splits it."""

from itertools import count, islice

from regard.model.data.corpus import bucket


def held_out_lines() -> str:
    """Thirty-seven pairs, of which seven are held out."""
    held_out = islice((n for n in count() if bucket(f"The cat has {n} mats.") < 15), 7)
    others = islice((n for n in count() if bucket(f"The cat has {n} mats.") >= 15), 30)
    return "".join(f"The cat has {n} mats.\tLe chat a {n} tapis.\n" for n in sorted([*held_out, *others]))
