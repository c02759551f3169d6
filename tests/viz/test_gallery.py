"""docs/gallery shows what is drawn today: every program, and in each picture the words and shapes of its scene."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from tests import front, gallery
from tests.viz import programs

pytest.importorskip("pygraphviz")

AGAIN = "python -m tests.gallery"


def outline(svg: str) -> tuple[list[str], Counter[str]]:
    """What a picture says, and how many shapes of each paint it has.  Where they stand is Graphviz's, and may differ."""
    prefix = ET.fromstring(svg).get("id") or ""
    root = ET.fromstring(svg.replace(prefix, ""))
    words = sorted("".join(one.itertext()) for one in root.iter() if re.search(r"\}(text|title|desc)$", one.tag))
    shapes = (f"{one.tag} {one.get('fill')} {one.get('stroke')}" for one in root.iter())
    return words, Counter(shapes)


def test_every_program_has_a_plate_and_nothing_else_lies_there() -> None:
    assert sorted(gallery.PLATES) == programs.NAMES
    files = {
        gallery.file(name, view) for name, plate in (gallery.PLATES | gallery.ELSEWHERE).items() for view in plate.views
    }
    assert {one.name for one in gallery.FOLDER.iterdir()} == {*files, "README.md"}


def test_the_page_is_fresh() -> None:
    assert (gallery.FOLDER / "README.md").read_text(encoding="utf-8") == gallery.page(), AGAIN


@pytest.mark.parametrize("name", [*programs.NAMES, *gallery.ELSEWHERE])
def test_the_pictures_are_fresh(name: str) -> None:
    scene = gallery.scene_of(name)
    for view in (gallery.PLATES | gallery.ELSEWHERE)[name].views:
        stored = (gallery.FOLDER / gallery.file(name, view)).read_text(encoding="utf-8")
        assert outline(stored) == outline(gallery.drawn(name, scene, view)), AGAIN


def test_the_picture_of_the_readme_is_of_todays_player(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    with image.open(front.PICTURE) as picture:
        assert picture.text[front.SAYS] == front.said(front.write(tmp_path)), "python -m tests.front"
