from regard.app.theme import component


def test_a_component_has_a_real_minus_sign_and_a_zero_has_none() -> None:
    assert [component(value) for value in (-1.234, -0.0, 0.0, 2.0)] == ["−1.23", "0.00", "0.00", "2.00"]
