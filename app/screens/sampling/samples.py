"""Samples, drawn once and shared by all visitors who ask for the same."""

from app.models.models import pretrained
from app.models.result_cache import remembered
from model.decoding.sampling import Sample, sample
from model.decoding.token_sampling import SamplingSettings

KEPT = 4  # sets of samples; each sample has the many numbers of a whole trace


@remembered(KEPT, "Drawing translations")
def samples(name: str, sentence: str, settings: SamplingSettings) -> tuple[Sample, ...]:
    """Translations drawn by chance, in their order."""
    return tuple(sample(pretrained(name), sentence, settings))
