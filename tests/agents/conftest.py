from __future__ import annotations

from typing import Any

import pytest

from lens_env import Encounter

HERO: dict[str, Any] = {
    "aspects": {"body": 14, "mind": 6, "spirit": 4},
    "abilities": {
        "weapon_use": {"talent": "strong", "rank": "journeyman"},
        "shield_use": {"talent": "average", "rank": "apprentice"},
        "maneuvering": {"talent": "average", "rank": "apprentice"},
        "armor_use": {"talent": "average", "rank": "apprentice"},
    },
    "initiative_abilities": ["maneuvering", "weapon_use"],
    "weapon": {"name": "long sword", "size": "medium", "quality": "fine", "tags": ["slashing"]},
    "shield": {"quality": "common"},
    "armor": {"rating": 2, "quality": "common"},
}
OGRE: dict[str, Any] = {
    **{"body": 18, "initiative": 4, "defense": 4, "abjuration": 4, "attack_rating": 4},
    "attacks": [
        {"name": "club", "dice": 3, "sides": 4, "tags": ["heavy"]},
        {"name": "sweep", "dice": 2, "sides": 4, "tags": ["sweeping"]},
    ],
}


@pytest.fixture(scope="session")
def duel() -> Encounter:
    return Encounter.from_dict(
        {"ruleset": "the_lens", "name": "Duel", "party": [{"name": "Kara", **HERO}], "foes": [{"name": "Ogre", **OGRE}]}
    )


@pytest.fixture(scope="session")
def board() -> Encounter:
    mage = {
        "aspects": {"body": 10, "mind": 8, "spirit": 6},
        "abilities": {"source": {"rank": "journeyman"}, "fire": {"rank": "journeyman"}},
        "spells": [{"name": "spark", "school": "fire", "parameters": [2, 2], "dice": 2, "sides": 6, "range": 3}],
    }
    return Encounter.from_dict(
        {
            "ruleset": "the_lens",
            "name": "Around the wall",
            "board": {"kind": "square", "width": 7, "height": 5, "blocked": [[3, 1], [3, 2], [3, 3]]},
            "party": [{"name": "Kara", "position": [2, 2], **HERO}, {"name": "Ilse", "position": [0, 2], **mage}],
            "foes": [{"name": "Ogre", "position": [5, 2], **OGRE}, {"name": "Troll", "position": [6, 2], **OGRE}],
        }
    )


@pytest.fixture(scope="session")
def poise() -> Encounter:
    """Legacy of Lamashtu: whom to attack, and how to answer; the chances of all defences are different."""
    one = {"attack": 4, "block": 5, "dodge": 6, "clash": 4, "health": 8, "damage": 2, "initiative": 5}
    return Encounter.from_dict(
        {
            "ruleset": "lamashtu",
            "name": "On hexes",
            "board": {"kind": "hex", "width": 6, "height": 4, "blocked": [[2, 1]]},
            "party": [{"name": "Ishme", "position": [0, 1], **one}, {"name": "Nin", "position": [0, 2], **one}],
            "foes": [
                {"name": "Brute", "position": [4, 1], **one, "attack": 5, "initiative": 3},
                {"name": "Seer", "position": [5, 2], **one, "insights": 10, "initiative": 4, "range": 3},
            ],
        }
    )
