"""What somebody hears is what is seen: the formula's numbers in their order, in words, and each thing said once."""

from __future__ import annotations

import re

import pytest

from tests.viz import programs
from viz.paint.aloud import aloud, formula, walked

NUMBER = re.compile(r"(minus )?(\d+(?:\.\d+)?(?:e-?\d+)?)")
UNSAID = re.compile(r"[∂=+×÷·^@′²³ᵀ₀-₉−]|equals equals|times times|plus plus|  ")


def heard(said: str) -> list[str]:
    """Numbers as they stand; an index of a name is one too."""
    return [number for _, number in NUMBER.findall(said.translate({0x2080 + digit: str(digit) for digit in range(10)}))]


@pytest.mark.parametrize("name", programs.NAMES)
def test_a_formula_is_said_with_its_numbers_and_no_sign_is_left(name: str) -> None:
    steps = [one["formula"] for one in programs.kept(name).scene.steps if one.get("formula")]
    for terms in steps:
        said, figures = formula(terms), " ".join(str(term[1]) for term in terms)
        assert said and not UNSAID.search(said), (terms, said)
        if re.search(r"\w", figures):
            head, _, rest = said.partition(": ")
            assert heard(rest) == heard(figures), (terms, said)
            assert rest.count("equals") == figures.count("="), (terms, said)
            assert rest.count("minus") == figures.count("−"), (terms, said)
            assert aloud(str(terms[0][0])) in head


@pytest.mark.parametrize("name", programs.NAMES)
def test_each_value_says_its_name_its_number_and_what_it_is_made_of(name: str) -> None:
    scene = programs.kept(name).scene
    way = "LR" if "LR" in (scene.layout or {}) else "TB"
    last, made = len(scene.steps) - 1, {}
    for edge in scene.edges:
        made.setdefault(edge["b"], []).append(edge["a"])
    values = {value["id"]: value for value in scene.values}
    items = [one.kids[0] for one in walked(scene, way).mark.kids if one.attrs.get("role") == "listitem"]
    assert [one.attrs["data_value"] for one in items] == [one for one in values if one in scene.layout[way]["nodes"]]
    for one in items:
        value, said = values[one.attrs["data_value"]], one.now("aria_label", last)
        assert said.startswith(aloud(value["name"])) and not UNSAID.search(said.partition("not written down")[0]), said
        for source in made.get(value["id"], []) if value.get("op") else []:
            assert aloud(values[source]["name"]) in said
        assert one.kids[0].attrs["aria_hidden"] == "true"
    others = [one for one in walked(scene, way).mark.kids if one.attrs.get("role") != "listitem"]
    assert all(one.attrs["aria_hidden"] == "true" for one in others)
