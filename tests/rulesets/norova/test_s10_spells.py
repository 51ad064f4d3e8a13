"""Section 10: spells at once and over several rounds."""

from __future__ import annotations

import pytest

from tests.rulesets.norova.scenes import ALL, asked, begin, duel, fighter, on_board, play, spell, strike, vitality, who

pytestmark = pytest.mark.kernel


def test_s10_a_spell_is_a_magical_attack_that_costs_soul() -> None:
    foe = fighter("Foe", armor={"physical": {"flat": 4}, "magical": {"flat": 1}})
    running = begin(duel([fighter(soul=5, spells=[spell(soul=3)])], [foe], rules=ALL))
    running.play("CAST Foe with bolt").play("NONE")
    assert (who(running)["soul"], vitality(running, "Foe")) == (2, 16)
    play(running, "END TURN", "END TURN")
    assert "CAST Foe with bolt" not in running.legal()  # 2 soul are too few


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_s10_over_several_rounds_it_goes_off_at_the_start_of_the_nth_next_turn(rounds: int) -> None:
    caster = fighter(soul=3, spells=[spell(soul=3, rounds=rounds)])
    running = begin(duel([caster], rules=ALL)).play("CAST Foe with bolt")
    assert who(running)["soul"] == 0
    for _ in range(rounds):
        assert (vitality(running, "Foe"), asked(running)) == (20, ("Kara", "ACT"))
        play(running, "END TURN", "END TURN")
    assert asked(running) == ("Foe", "DEFEND")
    running.play("NONE")
    assert (vitality(running, "Foe"), asked(running), who(running)["casting"]) == (15, ("Kara", "ACT"), 0)


def test_s10_casting_allows_no_attack_magic_or_move_but_support() -> None:
    caster = fighter(
        soul=3, spells=[spell(rounds=2), spell("spark", soul=1)], support=[{"name": "chant", "restore": {"soul": 1}}]
    )
    data = on_board({"Kara": (0, 0), "Foe": (0, 1)}, party=[caster])
    running = begin(data).play("CAST Foe with bolt")
    assert running.legal() == ["END TURN"]
    play(running, "END TURN", "END TURN")
    assert running.legal() == ["END TURN"]
    data["party"][0]["spells"][0]["soul"] = 1
    running = begin(data).play("CAST Foe with bolt")
    assert running.legal() == ["END TURN", "SUPPORT Kara with chant"]


def test_s10_a_fallen_target_wastes_it() -> None:
    party = [fighter(spells=[spell(rounds=1)]), fighter("Bran")]
    data = duel(party, [fighter("Foe", vitality=5, xp=9), fighter("Imp")], rules=ALL)
    running = begin(data, "FAILURE").play("CAST Foe with bolt").play("END TURN")
    strike(running, "Foe").play("NONE")
    play(running, "END TURN", "PASS", "END TURN")
    assert (asked(running), who(running)["casting"]) == (("Kara", "ACT"), 0)
    assert "bolt is wasted" in " ".join(running.log)


def test_s10_the_distance_does_not_matter_any_more_when_it_goes_off() -> None:
    caster = fighter(spells=[spell(rounds=1, range=1)])
    data = on_board({"Kara": (0, 0), "Foe": (0, 1, "N")}, party=[caster], rules=ALL)
    running = play(
        begin(data), "CAST Foe with bolt", "END TURN", "MOVE", "STEP S", "STEP S", "STOP", "FACE N", "END TURN"
    )
    assert asked(running) == ("Foe", "DEFEND")


def test_s10_an_area_over_several_rounds_goes_where_it_was_aimed() -> None:
    fire = {"name": "fire", "kind": "area", "radius": 1, "flat": 5, "rounds": 1}
    data = on_board({"Kara": (0, 0), "Foe": (5, 5, "N")}, party=[fighter(spells=[fire])], rules=ALL)
    running = play(begin(data), "AIM fire", "COLUMN 5", "ROW 4", "END TURN", "END TURN")
    assert (asked(running), "EVADE" in running.legal()) == (("Foe", "DEFEND"), True)
    missed = play(
        begin(data), "AIM fire", "COLUMN 5", "ROW 4", "END TURN", "MOVE", "STEP S", "STOP", "FACE N", "END TURN"
    )
    assert asked(missed) == ("Kara", "ACT")
