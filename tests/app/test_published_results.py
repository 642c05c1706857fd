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
    assert all(part in found for part in ("SST .35", "IMDB .44", "20News .13", "AGNews .39", "SNLI .31", "bAbI-2 −.02"))
    assert "no translation was tested" in found
    assert "Jain and Wallace (2019)" in found


def test_every_finding_has_a_source_and_something_to_say_of_the_models_here() -> None:
    for finding in EXPLANATION:
        assert finding.source
        assert measured(finding.key, {})


def test_findings_without_a_measurement_name_the_command_that_makes_it() -> None:
    unmeasured = [finding.key for finding in EXPLANATION if measured(finding.key, {}) == UNMEASURED]
    assert unmeasured == ["kept", "tau", "mass", "aer"]
    assert "regard evaluate" in UNMEASURED
