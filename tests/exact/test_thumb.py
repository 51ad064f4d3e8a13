"""Rules of thumb: what they say is what was followed, and their cost is exact."""

from __future__ import annotations

import numpy as np
import pytest

from lens_env.core.ruleset import called
from lens_env.exact import Values, rules_of_thumb, solved_without
from lens_env.exact.thumb import Quantity, features_of
from tests.exact.conftest import game_of, graph_of

NAMES = ["the_lens/duel_without_shield", "norova/mage_duel", "lamashtu/heavy_and_light"]


@pytest.mark.parametrize("name", NAMES)
def test_rules_cost_and_agree_within_bounds(name: str) -> None:
    game = game_of(name)
    rules = list(rules_of_thumb(game))
    assert rules
    for rule in rules:
        sign = 1 if rule.side == "party" else -1
        assert rule.cost == pytest.approx(sign * (game.value - rule.value), abs=1e-15)
        assert rule.cost >= -1e-12
        assert 0 <= rule.agreement <= 1 + 1e-12
        assert 1 <= len(rule.sentences) <= 2**rule.depth


def test_a_deep_rule_is_nearly_the_optimum() -> None:
    game = game_of("norova/mage_duel")
    (shallow, deep) = (rule for rule in rules_of_thumb(game, (1, 20)) if rule.side == "party")
    assert deep.cost <= 1e-9 < shallow.cost
    assert deep.agreement == pytest.approx(1, abs=1e-9)


def test_a_rule_of_one_word_costs_what_is_lost_without_all_others() -> None:
    """``always: EVADE`` is the game in which the windows offer nothing else."""
    game = game_of("norova/mage_duel")
    rule = next(rule for rule in rules_of_thumb(game, (1,)) if rule.side == "party")
    assert rule.sentences == ("always: EVADE",)
    graph = game.graph
    skill = np.isin(graph.actions, called("SKILL 1", graph.encounter.built.actions))
    party = (graph.sides == 0)[graph.owners]
    assert rule.value == pytest.approx(game.again(allowed=(~(skill & party)).astype(np.uint8)).value, abs=1e-15)
    assert rule.value == pytest.approx(solved_without(game, "party", ("SKILL 1",)).value, abs=1e-12)


def test_quantities_are_those_of_the_table() -> None:
    graph = graph_of("the_lens/duel_without_shield")
    some = np.arange(0, len(graph), 50)
    quantities, features = features_of(graph, some)
    names = {quantity.name for quantity in quantities}
    assert {"Ada's body", "Brigand's momentum", "Ada's initiative"} <= names
    assert not {name for name in names if "locked" in name and name.startswith("Ada")}
    body = features[:, [quantity.name for quantity in quantities].index("Ada's body")]
    assert (body == graph.states(some)["fighters"]["body"][:, 0]).all()


@pytest.mark.parametrize(
    ("above", "until", "said"),
    [
        (-np.inf, 3.5, "x <= 3"),
        (3.5, np.inf, "x >= 4"),
        (3.5, 4.5, "x = 4"),
        (2.5, 4.5, "x = 3 to 4"),
        (-np.inf, 0.5, "x = 0"),
        (8.5, np.inf, "x = 9"),
    ],
)
def test_whole_numbers_are_told_as_such(above: float, until: float, said: str) -> None:
    assert Quantity("x", 0, 9, True).said(above, until) == said


def test_shares_are_told_with_their_borders() -> None:
    assert Quantity("x", 0, 1, False).said(0.25, 0.5) == "x > 0.25 and <= 0.5"
    assert Quantity("x", 0, 1, False).said(-np.inf, 0.5) == "x <= 0.5"


def test_nobody_learns_what_is_not_free_to_choose() -> None:
    game = game_of("norova/mage_duel")
    graph = game.graph
    fixed = Values(graph, party=_first(graph))
    assert all(rule.side == "foes" for rule in rules_of_thumb(fixed))


def _first(graph):  # type: ignore[no-untyped-def]
    from lens_env.exact import Fixed

    weights = np.zeros(len(graph.actions))
    weights[graph.first_action[:-1][np.diff(graph.first_action) > 0]] = 1
    return Fixed(weights)
