"""Random small encounters of Nor'Ova as hypothesis strategies, and random walks through them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

KINDS = ("melee", "thrown_object", "projectile", "area", "seen_spell", "fast_spell", "invisible_spell", "covert")
STATUSES = ("prone", "trapped", "stunned", "dazed", "unconscious", "berserk", "distracted", "hindered")
TRAITS = ("evade", "perceive", "focus", "react", "defense", "spirit", "initiative")
EFFECTS: tuple[Any, ...] = ("negate", "halve", "counter", {"absorb": 3})
FORBIDDEN = ("END TURN", "MOVE", "EVADE", "DEFEND", "GUARD", "PASS", "STEP N", "FACE", "SAVE", "COUNTER", "STAND")


def some(values: Any, most: int = 2) -> st.SearchStrategy[list[Any]]:
    """A few different values."""
    return st.lists(st.sampled_from(values), max_size=most, unique=True)


@st.composite
def attacks(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """An attack of any kind."""
    kind = draw(st.sampled_from(KINDS))
    it: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "nature": draw(st.sampled_from(("physical", "magical"))),
        "dice": draw(st.integers(0, 2)),
        "sides": 4,
        "flat": draw(st.integers(1, 4)),
        "range": draw(st.sampled_from((1, 1, 3))),
        "from": draw(st.sampled_from(("front", "side", "behind"))),
    }
    if kind == "area":
        it |= {"radius": draw(st.integers(1, 2)), "evadable": draw(st.booleans())}
    if draw(st.booleans()):
        status = draw(st.sampled_from(STATUSES))
        it["inflicts"] = {"status": status, "rounds": 1 if status == "prone" else draw(st.integers(1, 2))}
    return it


@st.composite
def skills(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Up to two defensive skills."""
    found = []
    for n in range(draw(st.integers(0, 2))):
        effect = draw(st.sampled_from(EFFECTS))
        cost = {"power": draw(st.integers(0, 1)), "soul": draw(st.integers(0, 1))}
        ally = effect != "counter" and draw(st.booleans())
        found.append(
            {"name": f"skill {n}", "check": "react", "difficulty": 12, "cost": cost, "effect": effect, "ally": ally}
        )
    return found


@st.composite
def fighters(draw: st.DrawFn, name: str, spectates: bool = False) -> dict[str, Any]:
    """A fighter with a bit of everything."""
    dice = {"dice": draw(st.integers(0, 1)), "sides": 4, "flat": draw(st.integers(0, 1))}
    it: dict[str, Any] = {
        "name": name,
        "vitality": draw(st.integers(3, 14)),
        "speed": draw(st.integers(0, 3)),
        "size": draw(st.sampled_from((50, 100, 200))),
        "vitality_save": draw(st.integers(-2, 13)),
        **{trait: draw(st.integers(-2, 9)) for trait in TRAITS},
        **{pool: draw(st.integers(0, 4)) for pool in ("power", "soul")},
        "xp": draw(st.sampled_from((0, 0, 8, 40))),
        "armor": {"physical": dice, "magical": dice, "defense": draw(st.integers(0, 2)), "spirit": 1},
        "attacks": [draw(attacks(f"attack {n}")) for n in range(draw(st.integers(1, 2)))],
        "skills": draw(skills()),
        **{flag: draw(st.booleans()) for flag in ("guard", "counter_attack", "flying")},
        "statuses": dict.fromkeys(draw(some(STATUSES, 1)), 1),
    }
    if draw(st.booleans()):
        it["spells"] = [{**draw(attacks("spell")), "soul": draw(st.integers(0, 2)), "rounds": draw(st.integers(0, 2))}]
    if draw(st.booleans()):
        it["support"] = [{"name": "aid", "heal": 3}, {"name": "chant", "restore": {"power": 1, "soul": 1}}]
    return it | ({"role": "spectator", "hidden": 1} if spectates else {})


rules = st.fixed_dictionaries({
    "offer_dominated": st.booleans(),
    "evade_then_act": st.booleans(),
    "evade_table": st.sampled_from(("full", "simple")),
    "minimum_damage": st.booleans(),
})  # fmt: skip


@st.composite
def encounters(draw: st.DrawFn) -> dict[str, Any]:
    """An encounter of one or two on each side, sometimes with a spectator."""
    data: dict[str, Any] = {
        "ruleset": "norova",
        "name": "Random",
        "max_rounds": draw(st.integers(1, 4)),
        "rules": draw(rules),
        "forbid": {"party": draw(some(FORBIDDEN)), "foes": draw(some(FORBIDDEN))},
        "party": [draw(fighters(name)) for name in ("Kara", "Bran")[: draw(st.integers(1, 2))]],
        "foes": [draw(fighters(name)) for name in ("Foe", "Imp")[: draw(st.integers(1, 2))]],
    }
    if draw(st.booleans()):
        data[draw(st.sampled_from(("party", "foes")))].append(draw(fighters("Archer", True)))
    if draw(st.booleans()):
        data["board"] = draw(boards([*data["party"], *data["foes"]]))
    return data


@st.composite
def boards(draw: st.DrawFn, everybody: list[dict[str, Any]]) -> dict[str, Any]:
    """A small board with a wall; puts the fighters on it."""
    kind, width, height = draw(st.sampled_from(("square", "square", "hex"))), *draw(st.sampled_from(((3, 3), (4, 3))))
    cells = draw(st.permutations([[x, y] for x in range(width) for y in range(height)]))
    for it in everybody:
        it["position"] = cells.pop()
    return {"kind": kind, "width": width, "height": height, "blocked": [cells.pop()]}
