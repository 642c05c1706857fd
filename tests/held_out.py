"""A table of sentence pairs of which some are kept apart from training, whoever splits it."""

from model.corpus import bucket


def held_out_lines() -> str:
    """Thirty-seven pairs, of which seven are held out."""
    numbers = range(10_000)
    held_out = [n for n in numbers if bucket(f"The cat has {n} mats.") < 15][:7]
    others = [n for n in numbers if bucket(f"The cat has {n} mats.") >= 15][:30]
    return "".join(f"The cat has {n} mats.\tLe chat a {n} tapis.\n" for n in sorted(held_out + others))
