"""Observations: every number within its bounds, and each showing what it is named after (R-33)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from lens_env import RULESETS, Game
from lens_env.core.kernel import direct
from lens_env.rulesets.norova import rules
from lens_env.rulesets.norova.codes import Window
from tests.rulesets.norova.scenes import (
    ALL,
    PLATE,
    attack,
    begin,
    duel,
    fighter,
    foe_first,
    on_board,
    play,
    spell,
    strike,
)
from tests.rulesets.norova.skirmishes import encounters
from tests.support import records_of
from tests.walking import seeds, walk

pytestmark = pytest.mark.kernel

NOROVA = RULESETS["norova"]


def scene(running: Game, viewer: str = "Kara") -> dict[str, float]:
    """What a fighter knows of the skirmish as a whole, by name."""
    out = np.zeros(len(NOROVA.scene) + 2, np.float32)
    direct(rules.observe_scene)(records_of(running), running.built.fighters.index(viewer), out, 1)
    assert out[0] == out[-1] == 0
    return dict(zip((seen.name for seen in NOROVA.scene), out[1:-1].tolist(), strict=True))


def known(running: Game, who: str = "Foe", viewer: str = "Kara") -> dict[str, float]:
    """What a fighter knows of another, by name."""
    out = np.zeros(len(NOROVA.fighter) + 2, np.float32)
    index = running.built.fighters.index
    direct(rules.observe_fighter)(records_of(running), index(viewer), index(who), out, 1)
    assert out[0] == out[-1] == 0
    return dict(zip((seen.name for seen in NOROVA.fighter), out[1:-1].tolist(), strict=True))


def lit(numbers: dict[str, float], group: str) -> list[str]:
    """The members of a group that are not 0."""
    return [name.partition(".")[2] for name, value in numbers.items() if name.startswith(f"{group}.") and value]


def test_there_are_as_many_numbers_as_promised_each_with_its_own_name() -> None:
    for numbers, low, high in ((NOROVA.scene, 40, 80), (NOROVA.fighter, 20, 28)):
        assert low <= len(numbers) <= high
        assert max(Counter(seen.name for seen in numbers).values()) == 1
        assert all(seen.low < seen.high for seen in numbers)


@settings(max_examples=15)
@given(encounters(), seeds)
def test_every_number_stays_within_its_bounds(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        for viewer in running.built.fighters:
            found = [(NOROVA.scene, scene(running, viewer))]
            found += [(NOROVA.fighter, known(running, other, viewer)) for other in running.built.fighters]
            for numbers, values in found:
                for seen in numbers:
                    assert seen.low <= values[seen.name] <= seen.high, seen.name


@settings(max_examples=10)
@given(encounters(), seeds)
def test_looking_changes_nothing(data: dict[str, Any], seed: int) -> None:
    for running in walk(data, seed):
        before = (running.state.tobytes(), running.dice.tobytes())
        scene(running)
        known(running, "Foe")
        assert (running.state.tobytes(), running.dice.tobytes()) == before


def test_the_scene_shows_window_round_and_what_of_the_turn_is_used() -> None:
    data = on_board({"Kara": (1, 1, "N"), "Foe": (1, 0)}, party=[fighter(speed=5)], max_rounds=4, rules=ALL)
    running = begin(data, "FAILURE")
    assert (lit(scene(running), "window"), scene(running)["round"], lit(scene(running), "used")) == (["ACT"], 0.25, [])
    strike(running, "Foe")
    assert lit(scene(running), "window") == ["DEFEND"]
    running.play("NONE").play("MOVE")
    now = scene(running)
    assert (lit(now, "window"), lit(now, "used"), now["steps"]) == (["STEP"], ["ATTACK", "MOVE"], 0.25)
    assert {name: int(Window[name]) for name in lit(now, "window")} == {"STEP": 2}


def test_the_scene_shows_which_neighbouring_spaces_are_free() -> None:
    data = on_board({"Kara": (0, 1), "Bran": (1, 1), "Foe": (1, 0)}, party=[fighter(), fighter("Bran")])
    data["board"]["blocked"] = [[0, 2]]
    assert lit(scene(begin(data)), "free") == ["N", "SE"]
    assert lit(scene(begin(duel())), "free") == []


def test_the_window_that_asks_for_a_defence_shows_the_committed_attack() -> None:
    bow = attack("bow", kind="projectile", nature="magical", evade_penalty=3, dice=2, sides=4, flat=10, range=9)
    data = on_board(
        {"Kara": (3, 3, "N"), "Foe": (6, 3)}, party=[fighter(evade=2)], foes=[fighter("Foe", attacks=[bow])]
    )
    running = strike(foe_first(data))
    now = scene(running)
    assert (now["attack.under_way"], now["attack.magical"], now["attack.aware"], now["attack.at_me"]) == (1, 1, 1, 1)
    assert [name for name in now if name.startswith(("attack.kind", "attack.from")) and now[name]] == [
        "attack.kind.PROJECTILE",
        "attack.from.FLANK",
    ]
    assert now["attack.damage"] == pytest.approx(0.15)
    assert now["attack.evade"] == pytest.approx(18 / 60)
    assert now["attack.evade_chance"] == pytest.approx(5 / 20)
    assert scene(running, "Foe")["attack.at_me"] == 0


def test_the_scene_shows_counters_opportunities_and_the_unaware() -> None:
    counter = strike(foe_first(duel([fighter(counter_attack=True)]), "SUCCESS")).play("COUNTER")
    assert scene(counter)["attack.counter"] == 1
    leaving = begin(on_board({"Kara": (3, 3), "Foe": (3, 2)}))
    play(leaving, "MOVE", "STEP S", "ATTACK Kara with sword")
    assert (scene(leaving)["attack.opportunity"], scene(leaving)["attack.counter"]) == (1, 0)
    behind = strike(foe_first(duel(foes=[fighter("Foe", attacks=[attack(**{"from": "behind"})])]), "FAILURE"))
    now = scene(behind)
    assert (now["attack.aware"], now["attack.evade"], now["attack.evade_chance"]) == (0, 0, 0)
    assert now["attack.from.BEHIND"] == 1


def test_the_scene_shows_the_column_chosen_for_an_area() -> None:
    fire = attack("fire", kind="area", radius=1, range=9)
    data = on_board({"Kara": (3, 3), "Foe": (3, 2)}, party=[fighter(attacks=[fire])])
    running = play(begin(data), "AIM fire", "COLUMN 4")
    assert (scene(running)["column"], lit(scene(running), "window")) == (0.125, ["ROW"])


def test_a_fighter_shows_who_it_is_and_its_pools() -> None:
    party = [fighter(power=4, soul=0), fighter("Bran", role="spectator")]
    running = strike(foe_first(duel(party, [fighter("Foe", xp=8)], rules=ALL))).play("NONE")
    me, ally, foe = (known(running, name) for name in ("Kara", "Bran", "Foe"))
    assert [it["me"] for it in (me, ally, foe)] == [1, 0, 0]
    assert [it["ally"] for it in (me, ally, foe)] == [1, 1, 0]
    assert [it["spectator"] for it in (me, ally, foe)] == [0, 1, 0]
    assert [it["fighting"] for it in (me, ally, foe)] == [1, 0, 1]
    assert (me["vitality"], me["power"], me["soul"], foe["xp"]) == (0.75, 1, 0, 1)


def test_a_fighter_shows_the_tries_it_has_left_while_it_is_down() -> None:
    data = duel([fighter(vitality=5, xp=3)], rules=ALL)
    running = strike(foe_first(data, "FAILURE")).play("NONE")
    it = known(running, "Kara", "Foe")
    assert (it["fighting"], it["tries"], it["vitality"]) == (0, 1, 0)


@pytest.mark.parametrize(
    "status", ["prone", "trapped", "stunned", "dazed", "unconscious", "berserk", "distracted", "hindered"]
)
def test_a_fighter_shows_its_statuses_as_bits(status: str) -> None:
    found = known(begin(duel(foes=[fighter("Foe", statuses={status: 1})])))
    bits = (
        "prone",
        "trapped",
        "stunned",
        "dazed",
        "unconscious",
        "berserk",
        "distracted",
        "hindered",
        "flying",
        "casting",
    )
    assert [name for name in bits if found[name]] == [status]


def test_a_fighter_shows_flying_overburdened_and_casting() -> None:
    foe = fighter("Foe", flying=True, hindered=True, spells=[spell(rounds=2)])
    running = foe_first(duel(foes=[foe])).play("CAST Kara with bolt")
    found = known(running)
    assert (found["flying"], found["hindered"], found["casting"]) == (1, 1, 1)


def test_a_fighter_shows_where_it_is_and_how_the_two_look_at_each_other() -> None:
    data = on_board({"Kara": (4, 4, "N"), "Foe": (6, 4, "E")})
    found = known(begin(data))
    assert (found["east"], found["south"], found["sees_me"], found["i_see"]) == (0.25, 0, 1, 0.5)
    back = known(begin(data), "Kara", "Foe")
    assert (back["east"], back["sees_me"], back["i_see"]) == (-0.25, 0.5, 1)


def test_a_fighter_shows_its_traits() -> None:
    foe = fighter("Foe", evade=12, perceive=-6, defense=15, spirit=3, armor=PLATE)
    found = known(begin(duel(foes=[foe])))
    names = ("evade", "perceive", "defense", "spirit")
    assert [found[f"trait.{name}"] for name in names] == pytest.approx([0.4, -0.2, 0.5, 0.1])


def test_health_is_the_share_of_vitality_left() -> None:
    running = strike(foe_first(duel(rules=ALL))).play("NONE")
    assert direct(rules.health)(records_of(running), 0) == 0.75
    assert direct(rules.health)(records_of(running), 1) == 1.0
