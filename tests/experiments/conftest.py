from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

DUEL = """\
ruleset: the_lens
name: Short duel
party:
  - name: Kara
    aspects: {body: 14, mind: 6, spirit: 4}
    abilities:
      weapon_use: {talent: strong, rank: journeyman}
      shield_use: {talent: average, rank: apprentice}
    weapon: {name: long sword, size: medium, quality: fine, tags: [slashing]}
    shield: {quality: common}
foes:
  - {name: Ogre, body: 18, initiative: 4, defense: 4, abjuration: 4, attack_rating: 4,
     attacks: [{name: club, dice: 3, sides: 4, tags: [heavy]}]}
"""
STUDY = """\
name: Small
seed: 3
skirmishes: 40
encounters: [duel.yaml]
party: [always_block, never_defend]
foes: [aggressive, random]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an encounter and a study, in which the test stands."""
    (tmp_path / "duel.yaml").write_text(DUEL, encoding="utf-8")
    (tmp_path / "small.yaml").write_text(STUDY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def changed(folder: Path) -> Callable[[str, str], Path]:
    """The study with a piece of its text replaced."""

    def change(old: str, new: str) -> Path:
        text = (folder / "small.yaml").read_text(encoding="utf-8")
        assert old in text
        path = folder / "changed.yaml"
        path.write_text(text.replace(old, new), encoding="utf-8")
        return path

    return change
