from regard.app.published_results import EXPLANATION
from regard.app.screens.explanation.scores import UNMEASURED, measured


def text(key: str) -> str:
    finding = next(finding for finding in EXPLANATION if finding.key == key)
    return f"{finding.text} {finding.source}"


def test_moradi_kambhatla_and_sarkar_found_function_words_to_stay_more_often() -> None:
    said = ("68% of function words", "21% of content words", "German to English", "Moradi", "2019")
    assert all(part in text("kept") for part in said)


def test_jain_and_wallace_measured_classifiers_and_no_translation() -> None:
    found = text("tau")
    assert "SST .35 and .07" in found
    assert "tweets .47, bAbI-1 .25, bAbI-3 .24" in found
    assert "additive score" in found
    assert all(part in found for part in ("SST .35", "IMDB .44", "20News .13", "AGNews .39", "SNLI .31", "bAbI-2 −.02"))
    assert "no translation was tested" in found
    assert "Jain and Wallace (2019)" in found


def test_a_number_that_was_read_in_other_work_says_so() -> None:
    assert all(part in text("mass") for part in ("54%", "68%", "49%", "Ghader and Monz (2017), as other work"))


def test_every_finding_has_a_source_and_something_to_say_of_the_models_here() -> None:
    for finding in EXPLANATION:
        assert finding.source
        assert measured(finding.key, {})


def test_findings_without_a_measurement_name_the_command_that_makes_it() -> None:
    unmeasured = [finding.key for finding in EXPLANATION if measured(finding.key, {}) == UNMEASURED]
    assert unmeasured == ["kept", "tau", "mass", "aer"]
    assert "regard evaluate" in UNMEASURED
