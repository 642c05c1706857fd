"""Wire format of a protobuf message: counts its fields by their lengths before any of them is read.

A message of 1 MB can have half a million empty states, which take a quarter of a second to read. Counting stops at a
limit. See https://protobuf.dev/programming-guides/encoding/
"""

from collections.abc import Iterable, Iterator

from regard.model.input_error import InputError

VARINT, EIGHT_BYTES, DELIMITED, FOUR_BYTES = 0, 1, 2, 5  # types of a field
LONGEST_VARINT = 10  # bytes


def check_count(message: bytes, path: Iterable[int], most: int) -> None:
    """Raise InputError when the messages along `path` have more than `most` fields in all, or cannot be read. `path`
    has the numbers of nested fields: (11, 2) counts the fields of the message, of each field 11 in it, and of each
    field 2 in those."""
    ranges, count = [(0, len(message))], 0
    for nested in [*path, 0]:
        found = []
        for start, end in ranges:
            for number, place, after in _fields(message, start, end):
                count += 1
                if count > most:
                    raise InputError(f"more than {most:,} fields")
                if number == nested and place:
                    found.append((place, after))
        ranges = found


def _fields(message: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield each field's number and where its content begins and ends; 0 and 0 if it is a number."""
    while start < end:
        tag, start = _varint(message, start, end)
        kind = tag & 7
        if kind == DELIMITED:
            length, start = _varint(message, start, end)
            yield tag >> 3, start, start + length
            start += length
        elif kind == VARINT:
            _, start = _varint(message, start, end)
            yield tag >> 3, 0, 0
        elif kind in (EIGHT_BYTES, FOUR_BYTES):
            start += 8 if kind == EIGHT_BYTES else 4
            yield tag >> 3, 0, 0
        else:
            raise InputError("no message of Streamlit's protocol")
    if start > end:
        raise InputError("no message of Streamlit's protocol")


def _varint(message: bytes, start: int, end: int) -> tuple[int, int]:
    """Return a number stored in seven bits per byte, and the index after it."""
    number = 0
    for place in range(start, min(end, start + LONGEST_VARINT)):
        byte = message[place]
        number |= (byte & 127) << (7 * (place - start))
        if byte < 128:
            return number, place + 1
    raise InputError("no message of Streamlit's protocol")
