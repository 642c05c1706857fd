from tests.support.quick import Deadline, importers, nearest

IMPORTING = importers()


def test_a_modules_own_test_comes_first_and_what_imports_it_nearby_next() -> None:
    first, *others = nearest(["model/scores.py"], IMPORTING)
    assert first == "tests/model/test_scores.py"
    assert others.index("tests/model/arithmetic/test_numbers.py") < others.index(
        "tests/app/screens/translate/test_screen.py"
    )


def test_browser_tests_come_last() -> None:
    files = nearest(["app/components/stepper/heatmap.js", "model/scores.py"], IMPORTING)
    in_browser = ["browser" in name for name in files]
    assert any(in_browser)
    assert in_browser == sorted(in_browser)


def test_the_engine_is_tested_by_the_browsers_tests_of_the_engine() -> None:
    assert {"tests/browser/test_engine.py", "tests/browser/test_engine_changes.py"} <= set(
        nearest(["app/export/engine/seq2seq.js"], IMPORTING)
    )


def test_what_has_no_time_left_is_left_out() -> None:
    assert Deadline(60).pytest_runtest_protocol() is None
    assert Deadline(-1).pytest_runtest_protocol()
