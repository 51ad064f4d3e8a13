"""Games small enough to be solved by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lens_env import Encounter
from lens_env.exact import Fixed, Values, best_response, build_graph, choices, exploitability, rules_of_thumb, worths


def tiny(**changes: Any) -> Encounter:
    """Both have 1 Vitality and a blow that always does damage; B always acts first.

    A evades with 11 of 20 faces, B with 6. Whoever is hit gets up again with 6 of 20 faces.
    """
    a = {"name": "A", "vitality": 1, "initiative": -10, "evade": 5, "attacks": [{"name": "a", "flat": 1}]}
    b = {"name": "B", "vitality": 1, "initiative": 20, "evade": 0, "attacks": [{"name": "b", "flat": 1}]}
    whole = {"ruleset": "norova", "name": "Tiny", "max_rounds": 3, "party": [a], "foes": [b]}
    return Encounter.from_dict({**whole, **changes})


def by_hand(a_hit: float = 0.45, b_hit: float = 0.7, rounds: int = 3) -> float:
    """The value, if these are the chances to be hit: A must survive, and then brings B down or not."""
    value = 0.5
    for _ in range(rounds):
        value = (1 - 0.7 * a_hit) * (0.7 * b_hit + (1 - 0.7 * b_hit) * value)
    return value


@pytest.mark.parametrize("rounds", [1, 2, 3, 30])
def test_value(rounds: int) -> None:
    assert Values(build_graph(tiny(max_rounds=rounds))).value == pytest.approx(by_hand(rounds=rounds), abs=1e-14)


def test_the_worth_of_a_defence_and_its_choice() -> None:
    values = Values(build_graph(tiny()))
    without_a, without_b = by_hand(a_hit=1), by_hand(b_hit=1)
    found = {(worth.side, worth.defenses): worth for worth in worths(values)}
    assert found["party", ("EVADE",)].without == pytest.approx(without_a, abs=1e-14)
    assert found["party", ("EVADE",)].gain == pytest.approx(by_hand() - without_a, abs=1e-14)
    assert found["foes", ("EVADE",)].gain == pytest.approx(without_b - by_hand(), abs=1e-14)
    # nothing else is offered beside EVADE, so there is nothing to say about the choice
    assert choices(values) == []
    assert list(rules_of_thumb(values)) == []


def test_a_choice_between_two_defences() -> None:
    """Not to evade is as bad as never having been able to; DEFEND needs a score that nobody has."""
    values = Values(build_graph(tiny(rules={"offer_dominated": True})))
    assert values.value == pytest.approx(by_hand(), abs=1e-14)
    party = {choice.defense: choice for choice in choices(values) if choice.side == "party"}
    # B attacks first in every round, and A is there to be attacked with these chances
    lasting = 0.685 * 0.51
    assert party["EVADE"].offered == pytest.approx(1 + lasting + lasting**2, abs=1e-12)
    assert party["EVADE"].dominant
    assert party["EVADE"].alone == 1
    assert party["EVADE"].regret == 0
    assert party["NONE"].dominated
    assert party["NONE"].optimal == 0
    # the dearest time not to evade: with all rounds to come, or with none; what comes next is won with this value
    cost = max(0.7 * 0.55 * (0.49 + 0.51 * rest) for rest in (0.5, by_hand(rounds=1), by_hand(rounds=2)))
    assert party["NONE"].regret == pytest.approx(cost, abs=1e-12)
    rule = next(rule for rule in rules_of_thumb(values) if rule.side == "party")
    assert rule.sentences == ("always: EVADE",)
    assert (rule.agreement, rule.cost) == (1, pytest.approx(0, abs=1e-14))


@pytest.mark.kernel
def test_policies_that_are_given() -> None:
    graph = build_graph(tiny(rules={"offer_dominated": True}))
    names = [graph.encounter.built.actions[action] for action in graph.actions]
    counts = dict.fromkeys(range(len(graph)), 0)
    for owner in graph.owners:
        counts[int(owner)] += 1
    mixed = Fixed(_mixed(names, counts, graph.owners))
    # of EVADE, DEFEND and NONE one is drawn; only the first helps: a hit with 1 - 0.55 / 3 and 1 - 0.3 / 3
    a_hit, b_hit = 1 - 0.55 / 3, 1 - 0.3 / 3
    both = Values(graph, party=mixed, foes=mixed)
    assert both.value == pytest.approx(by_hand(a_hit, b_hit), abs=1e-14)
    assert best_response(graph, "party", mixed).value == pytest.approx(by_hand(0.45, b_hit), abs=1e-14)
    assert best_response(graph, "foes", mixed).value == pytest.approx(by_hand(a_hit, 0.7), abs=1e-14)
    assert exploitability(graph, "party", mixed) == pytest.approx(by_hand() - by_hand(a_hit, 0.7), abs=1e-14)
    assert exploitability(graph, "foes", mixed) == pytest.approx(by_hand(0.45, b_hit) - by_hand(), abs=1e-14)
    won, undecided, lost = both.ending()
    assert won + undecided + lost == pytest.approx(1, abs=1e-12)
    lasting = (1 - 0.7 * a_hit) * (1 - 0.7 * b_hit)
    assert undecided == pytest.approx(lasting**3, abs=1e-12)
    assert lost == pytest.approx(0.7 * a_hit * (1 + lasting + lasting**2), abs=1e-12)


def _mixed(names: list[str], counts: dict[int, int], owners: Any) -> Any:
    """Any defence, but always an attack where there is one."""
    weights = np.zeros(len(names))
    attacks = {int(owner) for owner, name in zip(owners, names, strict=True) if name.startswith("ATTACK")}
    for action, (owner, name) in enumerate(zip(owners, names, strict=True)):
        if int(owner) not in attacks:
            weights[action] = 1 / counts[int(owner)]
        elif name.startswith("ATTACK"):
            weights[action] = 1
    return weights


def test_harm_of_a_single_round() -> None:
    """The health left counts: 1 if B is down, -1 if A is, 0 if both stand."""
    value = Values(build_graph(tiny(max_rounds=1)), objective="harm").value
    assert value == pytest.approx(0.685 * 0.49 - 0.315, abs=1e-14)
