"""Section 2: fighters, what the file may say of them, and what the loader warns of."""

from __future__ import annotations

from typing import Any

import pytest

from lens_env import Encounter, load_encounter
from lens_env.errors import EncounterError
from lens_env.play.encounter import list_encounters
from tests.rulesets.lamashtu.scenes import asked, attacked, duel, fighter, game, on_board, play, who

LEAST = {"name": "Kara", "attack": 3, "block": 4, "dodge": 5, "health": 7, "damage": 2, "initiative": 4}
OURS = [name for name in list_encounters() if name.startswith("lamashtu/")]


def sheet(**fields: Any) -> Any:
    """The sheet of a fighter of which only this is said."""
    return Encounter.from_dict(duel(party=[{**LEAST, **fields}])).built.setup[0]["sheets"][0]


def test_the_defaults_of_a_sheet() -> None:
    """Poise 2, Action Points 3, speed 5, no Insights (target number 1), reach 1, clash as attack."""
    it = sheet()
    fields = ("attack", "block", "dodge", "clash", "health", "damage")
    assert [int(it[name]) for name in fields] == [3, 4, 5, 3, 7, 2]
    assert [int(it[name]) for name in ("poise", "points", "speed", "target", "reach", "helpless")] == [2, 3, 5, 1, 1, 0]


def test_everything_may_be_said() -> None:
    it = sheet(clash=6, poise=4, action_points=2, speed=7, insights=10, range=3, helpless=True)
    assert [int(it[name]) for name in ("clash", "poise", "points", "speed", "target", "reach", "helpless")] == [
        6, 4, 2, 7, 3, 3, 1,
    ]  # fmt: skip


def test_both_sides_have_the_same_kind_of_sheet() -> None:
    setup = Encounter.from_dict(duel(party=[fighter()], foes=[fighter("Anzu")])).built.setup[0]
    one, other = setup["sheets"][0].copy(), setup["sheets"][1].copy()
    assert (one["side"], other["side"]) == (0, 1)
    other["side"] = 0
    assert one == other


@pytest.mark.kernel
def test_a_skirmish_begins_with_full_health_and_poise() -> None:
    it = who(game(duel(foes=[fighter("Anzu", poise=5)])))
    assert (it["health"], it["poise"], it["points"], it["banked"]) == (10, 5, 0, 0)


@pytest.mark.kernel
def test_r16_a_helpless_fighter_has_its_turns() -> None:
    running = play(game(duel(foes=[fighter("Anzu", helpless=True)])), "END TURN")
    assert asked(running) == ("Anzu", "ACT") and "ATTACK Kara" in running.legal()
    assert attacked(helpless=True).legal() == ["NONE"]


# --- what is wrong -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"party": [fighter(atack=3)]}, r"party\.0\.atack: .*did you mean attack"),
        ({"party": [fighter(attack=0)]}, r"party\.0\.attack: must be at least 1"),
        ({"party": [fighter(poise=0)]}, r"party\.0\.poise: must be at least 1"),
        ({"party": [fighter(block=13)]}, r"party\.0\.block: must be at most 12"),
        ({"party": [fighter(range=0)]}, r"party\.0\.range: must be at least 1"),
        ({"party": [fighter(health="ten")]}, r"party\.0\.health: .*whole number"),
        ({"foes": [fighter("Kara")]}, r"foes\.0\.name: another fighter is called 'Kara'"),
        ({"party": []}, r"party: .*at least 1"),
        ({"foes": [fighter(f"Foe {n}") for n in range(11)], "party": [fighter(), fighter("Two")]}, "at most 12 fit"),
        ({"rules": {"reveal_attack": True}}, r"rules\.reveal_attack: .*did you mean reveal_attack_roll"),
        ({"rules": {"clash_effect": "always"}}, r"rules\.clash_effect: .*allowed: free, costs_critical"),
        ({"rules": {"tiers": [{"insights": 1, "target": 1}]}}, r"rules\.tiers\.0\.insights: the first Tier must begin"),
        (
            {"rules": {"tiers": [{"insights": 0, "target": 1}, {"insights": 0, "target": 2}]}},
            r"rules\.tiers\.1\.insights: must be more than the 0 Insights",
        ),
        ({"rules": {"tiers": []}}, r"rules\.tiers"),
        ({"forbid": {"party": ["BLOK"]}}, r"BLOK.*BLOCK"),
        ({"party": [fighter(position=[1, 1])]}, r"party\.0\.position: there is no board"),
    ],
)
def test_what_is_wrong_is_named_with_its_field(change: dict[str, Any], message: str) -> None:
    with pytest.raises(EncounterError, match=message):
        Encounter.from_dict(duel(**change))


@pytest.mark.parametrize(
    ("places", "board", "message"),
    [
        ({"Kara": (0, 0), "Anzu": (0, 0)}, {}, r"foes\.0\.position: Kara stands on cell 0,0 already"),
        ({"Kara": (0, 0), "Anzu": (9, 0)}, {}, r"foes\.0\.position: cell 9,0 is off the board"),
        ({"Kara": (0, 0), "Anzu": (1, 1)}, {"blocked": [[1, 1]]}, r"foes\.0\.position: cell 1,1 is blocked"),
        ({"Kara": (0, 0), "Anzu": (1, 1)}, {"blocked": [[8, 1]]}, r"board\.blocked\.0: cell 8,1 is off the board"),
        ({"Kara": (0, 0), "Anzu": (1, 1)}, {"difficult": {"2,2": 4}}, r"board\.difficult\.2,2: there is no difficult"),
    ],
)
def test_a_wrong_place_is_named(places: dict[str, tuple[int, int]], board: dict[str, Any], message: str) -> None:
    data = on_board(places)
    data["board"] |= board
    with pytest.raises(EncounterError, match=message):
        Encounter.from_dict(data)


def test_on_a_board_everybody_needs_a_place() -> None:
    data = on_board({"Kara": (0, 0), "Anzu": (1, 1)})
    del data["foes"][0]["position"]
    with pytest.raises(EncounterError, match=r"foes\.0: Anzu has no position on the board"):
        Encounter.from_dict(data)


@pytest.mark.parametrize("side", ["party", "foes"])
def test_a_side_that_can_never_hit_is_refused(side: str) -> None:
    """With 3 dice a target number of 3 is never exceeded."""
    weak, strong = {"attack": 3}, {"insights": 10}
    party, foes = (weak, strong) if side == "party" else (strong, weak)
    data = duel(party=[fighter(**party)], foes=[fighter("Anzu", **foes)])
    with pytest.raises(EncounterError, match=rf"{side}: this side can never hit: its largest attack is 3 dice"):
        Encounter.from_dict(data)
    data[side][0]["attack"] = 4
    Encounter.from_dict(data)


def test_a_side_can_hit_through_failed_defences_if_the_rules_say_so() -> None:
    data = duel(party=[fighter(attack=3)], foes=[fighter("Anzu", insights=10)], rules={"failure_hits": True})
    assert Encounter.from_dict(data).warnings == ()


# --- what is warned of -------------------------------------------------------------------------------------


def test_a_block_that_a_clash_makes_pointless_is_warned_of() -> None:
    [warning] = Encounter.from_dict(duel(party=[fighter(block=5)])).warnings
    assert warning.startswith("Kara: block is not above clash")


def test_a_block_against_archers_has_a_point() -> None:
    places = {"Kara": (0, 0), "Anzu": (3, 3)}
    data = on_board(places, party=[fighter(block=5)], foes=[fighter("Anzu", range=4)])
    assert Encounter.from_dict(data).warnings == ()
    del data["foes"][0]["range"]
    assert len(Encounter.from_dict(data).warnings) == 1


def test_a_dodge_that_only_leads_down_the_ladder_is_warned_of() -> None:
    [warning] = Encounter.from_dict(duel(party=[fighter(dodge=6)])).warnings
    assert warning.startswith("Kara: without a board a DODGE")


def test_an_enemy_whom_nobody_can_hit_is_warned_of() -> None:
    foes = [fighter("Anzu"), fighter("Mushussu", insights=20)]
    [warning] = Encounter.from_dict(duel(foes=foes)).warnings
    assert warning == "Mushussu: nobody of the party can ever hit it: no attack pool exceeds its target 4"


def test_the_helpless_are_not_warned_of_defences() -> None:
    data = duel(party=[fighter(), fighter("Two", block=0, dodge=0, helpless=True)])
    assert Encounter.from_dict(data).warnings == ()


# --- the encounters that come with it ----------------------------------------------------------------------


def test_there_are_encounters_of_every_kind() -> None:
    data = [load_encounter(name).data for name in OURS]
    assert len(OURS) >= 6
    assert {one["board"]["kind"] if one["board"] != "none" else "none" for one in data} == {"none", "square", "hex"}
    assert any(len(one["party"]) == len(one["foes"]) == 2 for one in data)
    assert any(one.get("rules", {}).get("failure_hits") for one in data)


@pytest.mark.parametrize("name", OURS)
def test_ours_are_named_and_described(name: str) -> None:
    model = load_encounter(name).model
    assert model.name and model.description
