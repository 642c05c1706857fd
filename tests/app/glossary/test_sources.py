import pytest

from regard.app.glossary.themes import DEFINITIONS
from regard.model.analysis import attention_statistics
from regard.model.commands.evaluate_model import HOW
from regard.model.text_report import soft_alignment_scores
from regard.model.text_report.sentence_measures import NUMBERS


@pytest.mark.parametrize(
    "text",
    [
        DEFINITIONS["confidence"].source,
        NUMBERS["confidence"].meaning,
        HOW["confidence"],
        attention_statistics.__doc__,
        soft_alignment_scores.__doc__,
    ],
)
def test_the_confidence_has_one_source_wherever_it_is_described(text: str) -> None:
    assert "Rikters and Fishel" in text
