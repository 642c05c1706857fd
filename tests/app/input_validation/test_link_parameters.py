import ast
import math
import re
from collections.abc import Iterator
from urllib.parse import parse_qs, quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.server import ROOT
from regard.app.input_validation.link_parameters import (
    LONGEST_CHANGE,
    LONGEST_QUERY,
    MOST_PARAMETERS,
    NUMBER,
    PARAMETERS,
    WHOLE,
    accepted,
    checked,
    linked,
    reasons,
)
from regard.app.screens.watch.inputs import KEYS, SECOND
from regard.app.visitor.question import SUBJECT, VIEW
from regard.model.readable import CHARACTERS
from tests.support.hostile_values import texts

# Functions that draw a field, and which argument is its key.
DRAWS = {"choose": 3, "choose_writing_step": 1, "segments": 3}
MADE = {  # files with keys that are arguments: of those functions, and of two that the tests below are about
    "app/visitor/pickers.py", "app/screens/learn/exercises.py", "app/screens/watch/inputs.py",
    "app/screens/learn/attention_chapters.py",
}  # fmt: skip


def keys_of_bound_fields() -> Iterator[tuple[str, ast.expr, dict[str, str]]]:
    """The key of every field that a link sets, and the texts that names of its file stand for."""
    for path in sorted((ROOT / "app").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = dict(named_texts(tree))
        for call in [node for node in ast.walk(tree) if isinstance(node, ast.Call)]:
            named = {keyword.arg: keyword.value for keyword in call.keywords}
            place = f"{path.relative_to(ROOT)}:{call.lineno}"
            if "bind" in named and "key" in named:
                yield place, named["key"], constants
            elif isinstance(call.func, ast.Name) and call.func.id in DRAWS and len(call.args) > DRAWS[call.func.id]:
                yield place, call.args[DRAWS[call.func.id]], constants


def named_texts(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant(str(text))):
                yield name, text
            case ast.Assign([ast.Tuple(names)], ast.Tuple(texts)):
                values = [str(text.value) if isinstance(text, ast.Constant) else "" for text in texts]
                yield from zip([one.id for one in names if isinstance(one, ast.Name)], values, strict=True)


def names_that_are_read() -> Iterator[tuple[str, str]]:
    """Every name that Python reads off a link by itself, and those of a question, which the stepper writes too."""
    for path in sorted((ROOT / "app").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(ast.Attribute(ast.Attribute(attr="query_params"), "get"), [ast.Constant(str(name)), *_]):
                    yield str(path.relative_to(ROOT)), name
                case ast.Call(ast.Name("linked"), [_, ast.Constant(str(name))]):
                    yield str(path.relative_to(ROOT)), name
                case ast.Subscript(ast.Attribute(attr="query_params"), ast.Constant(str(name))):
                    yield str(path.relative_to(ROOT)), name
    yield from (("app/visitor/question.py", name) for name in (*SUBJECT, *VIEW))


def possible_names(key: ast.expr, constants: dict[str, str]) -> set[str]:
    """Return the possible values of a key: a text, a constant of its file, one of two, or text with something in it."""
    match key:
        case ast.Constant(str(name)):
            return {name}
        case ast.IfExp(_, one, other):
            return possible_names(one, constants) | possible_names(other, constants)
        case ast.JoinedStr(parts):
            return {"".join(str(part.value) if isinstance(part, ast.Constant) else "luong" for part in parts)}
        case ast.Name(name) if name in constants:
            return {constants[name]}
    return set()  # an argument of the function that draws the field


def test_every_field_that_a_link_sets_has_a_parser() -> None:
    found = {place: possible_names(key, constants) for place, key, constants in keys_of_bound_fields()}
    assert len(found) > 40
    assert {name: place for place, names in found.items() for name in names if accepted(name) is None} == {}
    assert {place.split(":")[0] for place, names in found.items() if not names} == MADE


def test_names_made_by_a_function_have_a_parser() -> None:
    made = {
        *KEYS.values(),
        *(f"{SECOND}_{key}" for key in KEYS.values()),
        SECOND,
        "score_love",
        "parts_i",
        "luong_step",
    }
    assert {name for name in made if accepted(name) is None} == set()


def test_every_name_that_is_read_or_written_by_hand_has_a_parser() -> None:
    found = set(names_that_are_read())
    assert {("app/visitor/question.py", "units"), ("app/screens/glossary/screen.py", "term")} <= found
    assert {(place, name) for place, name in found if accepted(name) is None} == set()


def test_the_stepper_writes_names_that_python_gives_it_and_none_of_its_own() -> None:
    script = (ROOT / "app/components/stepper/streamlit.js").read_text(encoding="utf-8")
    assert {name for name in PARAMETERS if re.search(rf"set\(link, .{name}|get\(.{name}", script)} == set()
    assert re.search(r"Object.entries\(names.view\)", script)


def test_the_one_file_reads_as_much_of_its_address_as_the_app_of_a_text_or_a_link() -> None:
    script = (ROOT / "app/export/translator/translator.js").read_text(encoding="utf-8")
    longest = dict(re.findall(r"const LONGEST_(\w+) = ([\d_]+);", script))
    assert {name: int(longest[name]) for name in longest} == {"SENTENCE": CHARACTERS, "CHANGE": LONGEST_CHANGE}


@pytest.mark.parametrize("name", [*PARAMETERS, "score_love", "luong_seed", "luong_size"])
def test_whatever_a_link_says_a_screen_gets_something_it_can_read(name: str) -> None:
    known = accepted(name)
    assert known is not None
    for value in texts():
        query, left_out = checked(f"{name}={quote(value.encode('utf-8', 'surrogatepass'))}")
        (read,) = parse_qs(query, keep_blank_values=True).get(name, [""])
        read.encode()
        assert "\0" not in read
        assert len(read) <= known.longest
        if known is WHOLE and read:
            assert abs(int(read)) <= 10**9
        if known is NUMBER and read:
            assert math.isfinite(float(read))
        assert all(name in reason for reason in reasons(left_out))


@given(st.dictionaries(st.sampled_from([*PARAMETERS, "other", "nobody"]), st.text(max_size=50), max_size=8))
def test_reading_a_link_twice_changes_nothing_more(values: dict[str, str]) -> None:
    query = urlencode({name: value.encode("utf-8", "surrogatepass") for name, value in values.items()})
    once = checked(query)
    assert checked(once.query) == (once.query, ())


def test_a_link_of_the_app_stays_as_it_is() -> None:
    query = "sentence=I+love+you.&step=-2&units=tokens&large=1&models=a&models=b&clauses=a%0Ab&beam_alpha=0.6&seen=true"
    assert checked(query) == (query, ())


@pytest.mark.parametrize(
    ("query", "left", "why"),
    [
        ("pair=1e400&step=2", "step=2", "“pair” must be a whole number up to 1,000,000,000 and was left out"),
        ("beam_alpha=nan", "", "“beam_alpha” must be a number up to 1,000,000,000 and was left out"),
        (f"find={'a' * 61}", f"find={'a' * 60}", "“find” has more than 60 characters; the rest was left out"),
        ("seen=maybe", "", "“seen” must be true or false and was left out"),
        (f"change={'1' * 200_001}", "", "“change” is longer than any change made here and was left out"),
    ],
)
def test_what_is_left_out_is_told_with_the_reason(query: str, left: str, why: str) -> None:
    found = checked(query)
    assert found.query == left
    assert reasons(found.left_out) == [why]


def test_names_that_no_screen_knows_are_passed_over_without_a_word() -> None:
    assert checked("utm_source=x&left_out=step&step=3") == ("step=3", ())


def test_a_choice_of_nothing_is_none_but_of_many_nothing_may_be_chosen() -> None:
    assert checked("pairs_order=&sheet_version=%00&models=&step=3") == ("models=&step=3", ())


def test_of_a_name_that_comes_often_the_last_values_count() -> None:
    assert checked("step=1&step=2").query == "step=2"
    assert checked("&".join(f"models={number}" for number in range(25))).query.count("models") == 20


@pytest.mark.parametrize("query", ["step=1&" * (MOST_PARAMETERS + 1), f"step=1&sentence={'a' * LONGEST_QUERY}"])
def test_a_link_beyond_all_measure_is_none(query: str) -> None:
    assert checked(query) == ("", ())


def test_a_screen_reads_a_parameter_as_its_parser_does() -> None:
    assert linked({"sample": "3", "run": "a\0b"}, "sample") == "3"
    assert linked({"sample": "1e400"}, "sample") == ""
    assert linked({}, "sample") == ""
    assert linked({"run": "a\0b"}, "run") == "ab"
