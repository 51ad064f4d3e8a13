"""Random small encounters of The Lens as hypothesis strategies."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

TALENTS = ("weak", "average", "strong", "gifted")
RANKS = ("untrained", "novice", "apprentice", "journeyman", "artisan", "master")
QUALITIES = ("crude", "common", "fine", "superior", "exquisite", "legendary")
ABILITIES = ("weapon_use", "shield_use", "armor_use", "maneuvering", "abjuration", "source", "fire", "healing")
POOLS = ("body", "mind", "spirit")
INFLICTED = ("stun", "prone", "hamstrung", "disarmed", "burning", "bleeding", "freezing", "overbearing", "slashing")
OFFENSIVE = (*INFLICTED, "crushing", "sweeping", "heavy", "piercing")
TAGS = (*OFFENSIVE, "missile")
WALKING = ("MOVE", "STOP", "STEP", "STEP E")
FORBIDDEN_PARTY = (
    "END TURN", "STAND", "BEFORE", "YIELD", "SACRIFICE", "ASSIST", "PASS", "NONE", "MITIGATE", "BLOCK", "DODGE",
    "PARRY", "TAG", "RECOVER", "RECOVER WEAPON", "REMOVE",
)  # fmt: skip
FORBIDDEN_FOES = ("END TURN", "STAND", "ASSIST", "INTERFERE", "GUARD", "PASS", "RECOVER WEAPON", "ATTACK")


def some(values: Any, most: int = 3) -> st.SearchStrategy[list[Any]]:
    """A few different values."""
    return st.lists(st.sampled_from(values), max_size=most, unique=True)


ability = st.fixed_dictionaries({"talent": st.sampled_from(TALENTS), "rank": st.sampled_from(RANKS)})
weapon = st.fixed_dictionaries({
    "name": st.just("weapon"),
    "size": st.sampled_from(("tiny", "small", "medium", "large")),
    "quality": st.sampled_from(QUALITIES),
    "tags": some(TAGS, 4),
    "range": st.sampled_from((1, 1, 3)),
})  # fmt: skip
tool = st.fixed_dictionaries({"quality": st.sampled_from(QUALITIES)})
armor = st.fixed_dictionaries({"rating": st.integers(1, 5), "quality": st.sampled_from(QUALITIES)})


@st.composite
def spells(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Up to two spells."""
    return [{
        "name": f"spell {n}",
        "school": "fire",
        "parameters": [draw(st.integers(1, 6))],
        "dice": draw(st.integers(1, 3)),
        "sides": 4,
        "pool": draw(st.sampled_from(POOLS)),
        "tags": draw(some(TAGS, 2)),
        **draw(st.sampled_from(({}, {"range": 2}))),
    } for n in range(draw(st.integers(0, 2)))]  # fmt: skip


EFFECTS: tuple[dict[str, Any], ...] = (
    {"effect": "heal", "amount": 3}, {"effect": "heal", "amount": 2, "pool": "mind"}, {"effect": "harm", "amount": 2},
    {"effect": "harm", "amount": 1, "tag": "freezing"}, {"effect": "cure", "tag": "burning"},
    {"effect": "cure", "tag": "freezing"}, {"effect": "cure", "tag": "hamstrung"},
    {"effect": "add_tag", "tag": "burning"},
)  # fmt: skip


@st.composite
def items(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Up to three items."""
    return [{
        "name": f"item {n}",
        "size": draw(st.sampled_from(("tiny", "small", "medium", "great"))),
        "uses": draw(st.integers(1, 3)),
        **draw(st.sampled_from(EFFECTS)),
        **draw(st.sampled_from(({}, {"ability": "healing", "tn": 4}))),
    } for n in range(draw(st.integers(0, 3)))]  # fmt: skip


@st.composite
def heroes(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A character."""
    spirit = draw(st.integers(0, 5))
    it: dict[str, Any] = {
        "name": name,
        "aspects": {"body": draw(st.integers(3, 12)), "mind": draw(st.integers(0, 5)), "spirit": spirit},
        "abilities": draw(st.dictionaries(st.sampled_from(ABILITIES), ability)),
        "initiative_abilities": draw(st.sampled_from((["maneuvering"], ["maneuvering", "fire"]))),
        "weapon": draw(st.none() | weapon),
        "armor": draw(st.none() | armor),
        "natural_parry": draw(st.booleans()),
        "gifts": draw(some(("quickness", "reflexes", "speed"))),
        "items": draw(items()),
        "momentum": draw(st.integers(1, 5)),
    }
    if not it["weapon"] or it["weapon"]["size"] != "large":
        it["shield"] = draw(st.none() | tool)
    if spirit:
        it["spells"] = draw(spells())
    return it


@st.composite
def monsters(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A monster."""
    rating = st.integers(2, 8)
    attacks = [{
        "name": f"attack {n}",
        "dice": draw(st.integers(1, 3)),
        "sides": draw(st.sampled_from((2, 4, 6))),
        "tags": draw(some(TAGS)),
        "range": draw(st.sampled_from((1, 1, 3))),
        "magic": draw(st.booleans()),
        "pool": draw(st.sampled_from(POOLS)),
        "natural": draw(st.booleans()),
    } for n in range(draw(st.integers(1, 3)))]  # fmt: skip
    return {
        "name": name,
        "body": draw(st.integers(3, 15)),
        "initiative": draw(rating),
        "defense": draw(rating),
        "abjuration": draw(rating),
        "attack_rating": draw(rating),
        "momentum": draw(st.integers(0, 5)),
        "recovers": draw(st.booleans()),
        "armor": draw(st.integers(0, 2)),
        "guard": draw(st.sampled_from(("none", "shield", "nimble", "parry"))),
        "talent": draw(st.sampled_from((4, 8, 12))),
        "attacks": attacks,
    }


rules = st.fixed_dictionaries({
    "third_die": st.sampled_from(("quality", "training")),
    "surprised_initiative": st.sampled_from(("normal", "confused")),
    "moves_per_turn": st.sampled_from(("any", 1)),
    "parry": st.sampled_from(("as_printed", "riposte")),
    "reactions": st.sampled_from(("all", "all", "defence_only")),
})  # fmt: skip
surprise = st.sampled_from((
    "none", "none", "party", "foes", {"ambush": {"tn": 4}}, {"stalk": {"ability": "maneuvering", "tn": 2}},
))  # fmt: skip


@st.composite
def encounters(draw: st.DrawFn) -> dict[str, Any]:
    """An encounter of one or two on each side."""
    data: dict[str, Any] = {
        "ruleset": "the_lens",
        "name": "Random",
        "max_rounds": draw(st.integers(1, 3)),
        "rules": draw(rules),
        "surprise": draw(surprise),
        "party": [draw(heroes(name)) for name in ("Kara", "Tomas")[: draw(st.integers(1, 2))]],
        "foes": [draw(monsters(name)) for name in ("Ogre", "Troll")[: draw(st.integers(1, 2))]],
    }
    if draw(st.booleans()):
        data["board"] = draw(boards([*data["party"], *data["foes"]]))
    walking = WALKING if "board" in data else ()
    data["forbid"] = {
        "party": draw(some(FORBIDDEN_PARTY + walking, 2)),
        "foes": draw(some(FORBIDDEN_FOES + walking, 2)),
    }
    return data


@st.composite
def boards(draw: st.DrawFn, fighters: list[dict[str, Any]]) -> dict[str, Any]:
    """A small board with walls and rubble; puts the fighters on it."""
    kind, width, height = draw(st.sampled_from(("square", "square", "hex"))), *draw(st.sampled_from(((3, 3), (4, 3))))
    cells = draw(st.permutations([[x, y] for x in range(width) for y in range(height)]))
    for fighter in fighters:
        fighter["position"] = cells.pop()
    blocked = [cells.pop() for _ in range(draw(st.integers(0, 2)))]
    rough = [cells.pop() for _ in range(draw(st.integers(0, 2)))]
    difficult = {f"{x},{y}": 4 for x, y in rough}
    return {"kind": kind, "width": width, "height": height, "blocked": blocked, "difficult": difficult}
