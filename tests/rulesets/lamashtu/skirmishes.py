"""Random small encounters of Legacy of Lamashtu as hypothesis strategies."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

FORBIDDEN = (
    "END TURN", "MOVE", "STOP", "STAND", "RECOVER", "NONE", "BLOCK", "DODGE", "CLASH", "CASH", "CASH POISE", "DONE",
    "IMPOSE", "DECLINE", "STEP", "STEP E", "PUSH", "ATTACK",
)  # fmt: skip
dice = st.integers(0, 6)


@st.composite
def fighters(draw: st.DrawFn, name: str) -> dict[str, Any]:
    """A fighter."""
    return {
        "name": name,
        "attack": draw(st.integers(3, 6)),
        "block": draw(dice),
        "dodge": draw(dice),
        "clash": draw(st.none() | dice),
        "health": draw(st.integers(1, 8)),
        "damage": draw(st.integers(1, 4)),
        "initiative": draw(st.integers(0, 3)),
        "poise": draw(st.integers(1, 3)),
        "action_points": draw(st.integers(1, 4)),
        "speed": draw(st.integers(0, 3)),
        "insights": draw(st.sampled_from((0, 0, 5))),
        "helpless": draw(st.sampled_from((False, False, False, True))),
        "range": draw(st.sampled_from((1, 1, 3))),
    }


rules = st.fixed_dictionaries({
    "pool": st.sampled_from(({}, {"success_at": 4}, {"sides": 10, "success_at": 6, "critical_at": 8})),
    "reveal_attack_roll": st.booleans(),
    "failure_hits": st.sampled_from((False, False, True)),
    "clash_effect": st.sampled_from(("free", "costs_critical")),
    "poise_per_round": st.integers(0, 2),
    "recovers_per_turn": st.integers(0, 2),
    "most_banked": st.integers(0, 3),
})  # fmt: skip


@st.composite
def encounters(draw: st.DrawFn) -> dict[str, Any]:
    """An encounter of one or two on each side."""
    some = st.lists(st.sampled_from(FORBIDDEN), max_size=2, unique=True)
    data: dict[str, Any] = {
        "ruleset": "lamashtu",
        "name": "Random",
        "max_rounds": draw(st.integers(1, 4)),
        "rules": draw(rules),
        "forbid": {"party": draw(some), "foes": draw(some)},
        "party": [draw(fighters(name)) for name in ("Kara", "Ishme")[: draw(st.integers(1, 2))]],
        "foes": [draw(fighters(name)) for name in ("Anzu", "Gallu")[: draw(st.integers(1, 2))]],
    }
    if draw(st.booleans()):
        data["board"] = draw(boards([*data["party"], *data["foes"]]))
    return data


@st.composite
def boards(draw: st.DrawFn, fighters: list[dict[str, Any]]) -> dict[str, Any]:
    """A small board with walls; puts the fighters on it."""
    kind, width, height = draw(st.sampled_from(("square", "hex"))), *draw(st.sampled_from(((3, 3), (4, 3))))
    cells = draw(st.permutations([[x, y] for x in range(width) for y in range(height)]))
    for fighter in fighters:
        fighter["position"] = cells.pop()
    return {"kind": kind, "width": width, "height": height, "blocked": [cells.pop() for _ in range(draw(dice) // 3)]}
