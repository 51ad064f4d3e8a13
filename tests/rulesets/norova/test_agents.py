"""The agents that come along make sense in Nor'Ova: they close in, look at the enemy, and defend as they say."""

from __future__ import annotations

import numpy as np
import pytest

from agents import load_agent
from lens_env import Encounter, Game, load_encounter
from lens_env.core.ruleset import SIDES
from lens_env.play.encounter import list_encounters
from lens_env.play.engine import Advice, Batch
from tests.rulesets.norova.scenes import ALL, attack, begin, duel, fighter, foe_first, on_board, play, spell, strike

pytestmark = pytest.mark.kernel

OURS = ("always_evade", "always_defend", "counter_first", "guardian")
OTHERS = ("aggressive", "balanced", "never_defend", "random", "prefer:ATTACK,MOVE,EVADE,DEFEND")
NAMES = [name for name in list_encounters() if name.startswith("norova/")]


def choice(name: str, running: Game) -> str:
    """What an agent does here."""
    agent = load_agent(name)
    agent.reset(1)
    return agent.choose(running)


def played(encounter: Encounter, party: str, foes: str, seed: int) -> tuple[Game, list[str]]:
    """A skirmish between two agents, and its actions."""
    sides = dict(zip(SIDES, (load_agent(party), load_agent(foes)), strict=True))
    for agent in sides.values():
        agent.reset(seed)
        agent.check([encounter])
    running, actions = Game(encounter, seed), []
    while not running.over:
        actions.append(sides[str(running.side)].choose(running))
        running.play(actions[-1])
    return running, actions


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("party", OURS)
def test_they_play_every_encounter_to_its_end(name: str, party: str) -> None:
    assert played(load_encounter(name), party, "aggressive", 3)[0].over


@pytest.mark.parametrize("party", OTHERS)
def test_the_other_agents_play_here_too(party: str) -> None:
    assert played(load_encounter("norova/two_against_two"), party, "aggressive", 5)[0].over


DEFENCES = [
    ("always_evade", "EVADE"),
    ("always_defend", "DEFEND"),
    ("counter_first", "COUNTER"),
    ("guardian", "EVADE"),
    ("never_defend", "NONE"),
    ("balanced", "EVADE"),
    ("aggressive", "EVADE"),
]


@pytest.mark.parametrize(("name", "expected"), DEFENCES)
def test_each_defends_as_it_says(name: str, expected: str) -> None:
    running = strike(foe_first(duel([fighter(counter_attack=True)], rules=ALL)))
    assert choice(name, running) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("guardian", "GUARD"), ("balanced", "GUARD"), ("always_evade", "PASS"), ("counter_first", "PASS")],
)
def test_who_steps_in_for_others(name: str, expected: str) -> None:
    party = [fighter(), fighter("Bran", guard=True, power=1)]
    running = strike(begin(duel(party, rules=ALL), order=["Foe", "Kara", "Bran"])).play("NONE")
    assert choice(name, running) == expected


@pytest.mark.parametrize("name", [*OURS, "balanced", "aggressive", "never_defend"])
def test_they_buy_saves_and_seize_opportunities(name: str) -> None:
    running = strike(foe_first(duel([fighter(vitality=5, xp=9)], rules=ALL), "FAILURE")).play("NONE").play("END TURN")
    assert choice(name, running) == "SAVE"
    leaving = play(begin(on_board({"Kara": (3, 3), "Foe": (3, 2)})), "MOVE", "STEP S")
    assert choice(name, leaving) == "ATTACK Kara with sword"


@pytest.mark.parametrize("name", [*OURS, "balanced", "aggressive"])
def test_they_walk_straight_to_the_enemy_and_look_at_it(name: str) -> None:
    running = begin(on_board({"Kara": (0, 0, "N"), "Foe": (5, 0)}))
    actions = []
    while running.decider == "Kara":
        actions.append(choice(name, running))
        running.play(actions[-1])
    steps = [action for action in actions if action.startswith("STEP")]
    assert len(steps) == 4  # next to the Foe, by the shortest way
    faced = int(running.state_dict()["fighters"]["Kara"]["facing"])
    assert abs((faced - 2 + 4) % 8 - 4) <= 1


def test_one_that_is_in_reach_moves_only_to_turn() -> None:
    data = on_board({"Kara": (3, 3, "N"), "Foe": (3, 2)})
    attacked = strike(begin(data, "SUCCESS"), "Foe").play("EVADE")
    assert choice("balanced", attacked) == "END TURN"
    data = on_board({"Kara": (3, 3, "S"), "Foe": (3, 2)})
    attacked = strike(begin(data, "SUCCESS"), "Foe").play("EVADE")
    assert [choice("balanced", attacked), choice("balanced", attacked.play("MOVE"))] == ["MOVE", "STOP"]
    assert choice("balanced", attacked.play("STOP")) == "FACE N"


def test_no_skirmish_is_spent_dithering() -> None:
    """Every Move of the aggressive brings its mover nearer or turns it."""
    for seed in range(3):
        running, actions = played(load_encounter("norova/hawk_and_imp"), "counter_first", "aggressive", seed)
        moves = sum(action == "MOVE" for action in actions)
        assert moves <= running.round * len(running.built.fighters)
        assert sum(action.startswith("ATTACK") for action in actions) > 10


# --- advice ------------------------------------------------------------------------------------------------


def advice(running: Game) -> Advice:
    """What a scripted policy may know."""
    return Batch.of(running.encounter, running.state, running.dice, running.masks).advice()


def test_expected_damage_is_what_the_armours_dice_let_through() -> None:
    foe = fighter("Foe", armor={"physical": {"dice": 1, "sides": 4}, "magical": {"flat": 2}})
    kara = fighter(attacks=[attack(flat=0, dice=1, sides=6)], spells=[spell(flat=7)])
    running = begin(duel([kara], [foe]))
    expected, index = advice(running).expected[0], running.built.actions.index
    through = sum(max(0, hit - armor) for hit in range(1, 7) for armor in range(1, 5)) / 24
    assert expected[index("ATTACK Foe with sword")] == pytest.approx(through)
    assert expected[index("CAST Foe with bolt")] == pytest.approx(5)
    assert advice(running).target[0, index("ATTACK Foe with sword")] == 1
    assert np.nansum(advice(strike(running, "Foe")).expected) == 0


def test_health_is_the_vitality_of_those_who_take_part() -> None:
    foes = [fighter("Foe"), fighter("Imp", role="spectator")]
    assert advice(begin(duel([fighter(vitality=9)], foes))).life.tolist() == [[9, 20, 0]]


def test_nothing_has_to_be_saved_for_reactions() -> None:
    keeper = load_agent({"agent": "prefer", "preferences": ["ATTACK", "END TURN"], "reserve": 99})
    assert keeper.choose(begin(duel())) == "ATTACK Foe with sword"


def test_the_distance_of_a_facing_is_how_far_it_looks_away() -> None:
    running = play(begin(on_board({"Kara": (3, 3, "N"), "Foe": (6, 3)})), "MOVE", "STOP")
    found, index = advice(running).distance[0], running.built.actions.index
    assert [found[index(f"FACE {heading}")] for heading in ("E", "SE", "S", "N", "W")] == pytest.approx([0, 1, 2, 2, 4])
