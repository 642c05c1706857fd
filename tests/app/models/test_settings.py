import pytest

from regard.app.models.settings import cache_megabytes


@pytest.mark.parametrize(("setting", "megabytes"), [("", 360), (" ", 360), ("600", 600), (" 0.5 ", 0.5), ("1e3", 1000)])
def test_the_bound_of_all_caches_is_300_megabytes_or_as_set(setting: str, megabytes: float) -> None:
    assert cache_megabytes(setting) == megabytes


@pytest.mark.parametrize("setting", ["600MB", "nan", "inf", "-inf", "0", "-3", "1e999", "many"])
def test_what_is_no_number_of_megabytes_is_refused_by_name(setting: str) -> None:
    with pytest.raises(SystemExit, match=rf"REGARD_CACHE: '{setting}' is not .* a finite number above 0"):
        cache_megabytes(setting)
