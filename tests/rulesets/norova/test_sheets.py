"""From an encounter file of Nor'Ova to records, what is refused and what is warned of: worked by hand."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lens_env import RULESETS, Encounter, load_encounter
from lens_env.core.board import Side
from lens_env.errors import EncounterError
from lens_env.play.encounter import list_encounters
from lens_env.rulesets.norova import catalogue
from lens_env.rulesets.norova.codes import AttackKind, Effect, Nature, Status, Trait
from tests.rulesets.norova.scenes import attack, duel, fighter, on_board, spell

NAMES = [name for name in list_encounters() if name.startswith("norova/")]


def setup(**kara: Any) -> Any:
    """The Setup record of a duel."""
    return Encounter.from_dict(duel([fighter(**kara)])).built.setup[0]


def sheet(**kara: Any) -> Any:
    """Kara's sheet."""
    return setup(**kara)["sheets"][0]


def refused(data: dict[str, Any]) -> str:
    """Why an encounter is refused."""
    with pytest.raises(EncounterError) as caught:
        Encounter.from_dict(data)
    return str(caught.value)


# --- records -----------------------------------------------------------------------------------------------


def test_everything_has_its_default() -> None:
    it = sheet()
    assert it["traits"].tolist() == [0] * 7
    assert (it["vitality"], it["speed"], it["bulk"], it["initiative"], it["xp"]) == (20, 6, 100, 0, 0)
    assert (it["guards"], it["counters"], it["flying"], it["hindered"], it["offers_all"]) == (0, 0, 0, 0, 0)
    rules = setup()["rules"]
    assert (rules["simple"], rules["evade_then_act"], rules["minimum_damage"], rules["max_rounds"]) == (0, 0, 1, 50)


def test_each_trait_has_its_place() -> None:
    names = ("evade", "perceive", "focus", "react", "defense", "spirit", "vitality_save")
    it = sheet(**{name: place + 1 for place, name in enumerate(names)})
    assert it["traits"].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert (Trait.EVADE, Trait.SPIRIT, Trait.VITALITY) == (0, 5, 6)


def test_an_attack_as_a_record() -> None:
    arrow = attack(
        "arrow", kind="projectile", evade_penalty=3, dice=2, sides=6, flat=1, range=7, evade_difficulty=17,
        inflicts={"status": "dazed", "rounds": 2}, **{"from": "side"},
    )  # fmt: skip
    it = sheet(attacks=[arrow])["strikes"][0]
    assert (it["exists"], it["magical"], it["kind"], it["reach"]) == (1, 0, AttackKind.PROJECTILE, 7)
    assert (it["plus"], it["rolled"], it["hinders"], it["evade"], it["expected"]) == (1, 1, 3, 17, 8.0)
    assert (it["inflicts"], it["rounds"], it["direction"]) == (Status.DAZED + 1, 2, Side.FLANK)
    assert (it["damage"]["least"], it["damage"]["count"], it["damage"]["total"]) == (2, 11, 36)


def test_a_spell_as_a_record() -> None:
    it = sheet(soul=4, spells=[spell(kind="fast_spell", soul=2, rounds=3)])["strikes"][4]
    assert (it["magical"], it["kind"], it["reach"], it["hinders"]) == (1, AttackKind.FAST_SPELL, 0, 2)
    assert (it["soul"], it["delay"], it["rolled"], it["plus"]) == (2, 3, 0, 5)


@pytest.mark.parametrize(
    ("kind", "fields", "stealth", "hinders"),
    [("covert", {}, 20, 0), ("covert", {"stealth": 25}, 25, 0), ("invisible_spell", {}, 20, 5), ("melee", {}, 0, 0)],
)
def test_r06_hidden_attacks(kind: str, fields: dict[str, Any], stealth: int, hinders: int) -> None:
    it = sheet(attacks=[attack(kind=kind, **fields)])["strikes"][0]
    assert (it["stealth"], it["hinders"]) == (stealth, hinders)


def test_armour_and_skills_as_records() -> None:
    armor = {"physical": {"dice": 2, "sides": 8, "flat": 1}, "magical": {"flat": 3}, "defense": 10, "spirit": 4}
    skill = {
        "name": "s",
        "check": "spirit",
        "difficulty": 20,
        "cost": {"soul": 2},
        "effect": {"absorb": 5},
        "ally": True,
    }
    it = sheet(armor=armor, skills=[skill], soul=2)
    physical, magical = it["armors"]
    assert (physical["rolled"], physical["plus"], physical["score"]) == (1, 1, 10)
    assert (magical["rolled"], magical["plus"], magical["score"]) == (0, 3, 4)
    one = it["skills"][0]
    assert (one["check"], one["difficulty"], one["soul"], one["power"]) == (Trait.SPIRIT, 20, 2, 0)
    assert (one["effect"], one["points"], one["ally"], one["nature"]) == (Effect.ABSORB, 5, 1, Nature.ANY)
    assert it["protects"] == 1


def test_every_action_of_the_catalogue_has_a_name_of_its_own() -> None:
    data = duel(
        [fighter(spells=[spell()], support=[{"name": "aid", "heal": 1}])],
        [fighter("Foe", attacks=[attack("claw"), attack("bite")])],
    )
    names = Encounter.from_dict(data).built.actions
    assert len(set(names)) == len(names) == catalogue.SIZE
    assert names[catalogue.ATTACK] == "ATTACK Kara with claw"
    assert names[catalogue.ATTACK + 12] == "ATTACK Kara with bite"
    assert names[catalogue.ATTACK + 1] == "ATTACK Foe with sword"
    assert names[catalogue.ATTACK + 4 * 12 + 1] == "CAST Foe with bolt"
    assert names[catalogue.SUPPORT] == "SUPPORT Kara with aid"
    assert names[catalogue.SKILL : catalogue.STEP] == ("SKILL 1", "SKILL 2", "SKILL 3", "SKILL 4")


# --- what is refused ---------------------------------------------------------------------------------------

WRONG: list[tuple[dict[str, Any], str]] = [
    (duel([fighter(vitality_save=14)]), "party.0.vitality_save: must be at most 13, got 14"),
    (duel([fighter(evad=3)]), "party.0.evad: is no known field; allowed: .*; did you mean evade?"),
    (duel([fighter(attacks=[attack(kind="mele")])]), "party.0.attacks.0.kind: cannot be 'mele'; allowed: melee, .*"),
    (duel([fighter(attacks=[attack(form="side")])]), "attacks.0.form: is no known field; .*; did you mean from?"),
    (duel([fighter(attacks=[attack(**{"from": "above"})])]), "0.from: cannot be 'above'; allowed: front, side, behind"),
    (duel([fighter(attacks=[attack(stealth=20)])]), "stealth: means nothing for kind melee, only for covert and inv"),
    (duel([fighter(attacks=[attack(kind="covert", stealth=22)])]), "attacks.0.stealth: .*20, 25"),
    (duel([fighter(attacks=[attack(evade_penalty=2)])]), "attacks.0.evade_penalty: means nothing for kind melee"),
    (duel([fighter(attacks=[attack(radius=2)])]), "attacks.0.radius: means nothing for kind melee"),
    (duel([fighter(attacks=[attack(kind="area")])]), "party.0.attacks.0: kind area needs a radius"),
    (duel([fighter(attacks=[attack(flat=0)])]), "party.0.attacks.0: does no damage"),
    (duel([fighter(attacks=[attack(dice=12, sides=12)])]), "attacks.0.dice: 12d12 is too much"),
    (duel([fighter(attacks=[attack(), attack()])]), "party.0.attacks.1: attack 'sword' is named twice"),
    (duel([fighter(statuses={"prone": 2})]), "statuses.prone: has no duration"),
    (duel([fighter(hidden=3)]), "party.0.hidden: hidden means nothing but for role: spectator"),
    (duel([fighter(allegiance="party")]), "party.0.allegiance: allegiance means nothing"),
    (
        duel(foes=[fighter("Foe"), fighter("Imp", role="spectator", allegiance="party")]),
        "foes.1.allegiance: stands in the list foes: move the fighter to party; allowed: foes",
    ),
    (duel([fighter(role="spectator")]), "party: has nobody but spectators"),
    (duel([fighter(support=[{"name": "a"}])]), "party.0.support.0: must have exactly one of heal and restore"),
    (duel([fighter(support=[{"name": "a", "restore": {}}])]), "support.0.restore: restores nothing"),
    (
        duel([fighter(skills=[{"name": "a", "check": "react", "difficulty": 15, "effect": "counter", "ally": True}])]),
        "skills.0.ally: a skill that counters protects nobody else",
    ),
    (duel([fighter("Foe")]), "foes.0.name: another fighter is called 'Foe' already"),
    (duel([fighter(position=[1, 1])]), "party.0.position: there is no board"),
    (duel([fighter(facing="N")]), "party.0.facing: there is no board"),
    (on_board({"Kara": (1, 1), "Foe": (1, 1)}), "foes.0.position: Kara stands on cell 1,1 already"),
    (on_board({"Kara": (9, 1), "Foe": (1, 1)}), "party.0.position: cell 9,1 is off the board; allowed: 0..7,0..7"),
    (on_board({"Kara": (1, 1, "N"), "Foe": (1, 2)}, kind="hex"), "facing: N is no direction of hexes; allowed: NE"),
    (duel(rules={"evade_table": "half"}), "rules.evade_table: cannot be 'half'; allowed: full, simple"),
    (duel(forbid={"party": ["BLOCK"], "foes": []}), "forbid.party.0: the party has no action 'BLOCK' here"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), WRONG, ids=[message[:40] for _, message in WRONG])
def test_a_bad_encounter_names_the_field_what_is_wrong_and_what_is_allowed(data: dict[str, Any], message: str) -> None:
    assert re.search(message.replace("?", r"\?"), refused(data)), refused(data)


def test_there_is_no_difficult_ground() -> None:
    data = on_board({"Kara": (1, 1), "Foe": (1, 2)})
    data["board"]["difficult"] = {"4,4": 5}
    assert "board.difficult: there is no difficult ground in Nor'Ova" in refused(data)


def test_several_mistakes_are_told_at_once() -> None:
    told = refused(duel([fighter(hidden=3, attacks=[attack(radius=1)])])).splitlines()
    assert len(told) == 2


# --- warnings ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("evade", "warned"), [(13, False), (14, True)])
def test_an_evade_of_14_is_never_hit_from_the_front(evade: int, warned: bool) -> None:
    warnings = Encounter.from_dict(duel([fighter(evade=evade)])).warnings
    expected = f"Kara: with Evade {evade} an even attack from the front never hits"
    assert warnings == ((expected,) if warned else ())


def test_what_can_never_be_paid_is_warned_of() -> None:
    skill = {"name": "runes", "check": "spirit", "difficulty": 15, "cost": {"soul": 3}, "effect": "negate"}
    kara = fighter(guard=True, soul=2, skills=[skill], spells=[spell(soul=5)])
    assert Encounter.from_dict(duel([kara])).warnings == (
        "Kara: the Guard ability costs 1 power, and the sheet has none",
        "Kara: the skill runes costs more than the sheet has",
        "Kara: the spell bolt costs 5 soul, and the sheet has 2",
    )


# --- the encounters that come along ------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_they_load_without_warnings_and_survive_being_written(name: str) -> None:
    loaded = load_encounter(name)
    assert loaded.ruleset is RULESETS["norova"]
    assert loaded.model.description and loaded.warnings == ()
    assert Encounter.from_text(loaded.to_yaml()) == loaded


def test_together_they_use_what_the_rules_offer() -> None:
    everybody = [one for name in NAMES for side in ("party", "foes") for one in load_encounter(name).data[side]]
    strikes = [strike for one in everybody for strike in [*one["attacks"], *one.get("spells", [])]]
    kinds = {strike.get("kind", "melee") for strike in strikes}
    assert len(NAMES) >= 7
    assert kinds >= {kind.name.lower() for kind in AttackKind} - {"seen_spell"}
    assert any(one.get("guard") for one in everybody) and any(one.get("counter_attack") for one in everybody)
    assert any(one.get("role") == "spectator" for one in everybody) and any(one.get("flying") for one in everybody)
    effects = {str(skill["effect"]) for one in everybody for skill in one.get("skills", [])}
    assert {"negate", "halve", "counter"} < effects
