"""From an encounter file of The Lens to records: worked by hand from the specification."""

from __future__ import annotations

import copy
from typing import Any, get_args

import numpy as np
import pytest

from lens_env.core.board import BLOCKED, MAX_SIZE, BoardKind
from lens_env.core.fields import FieldError
from lens_env.core.ruleset import Built
from lens_env.rulesets.the_lens import catalogue, sheets
from lens_env.rulesets.the_lens.build import build
from lens_env.rulesets.the_lens.codes import Ability, Effect, Guard, Pool, SurpriseKind, Tag
from lens_env.rulesets.the_lens.sheets import TheLensEncounter
from lens_env.rulesets.the_lens.state import MAX_FIGHTERS

FOE = {"name": "Ogre", "body": 18, "initiative": 4, "defense": 4, "abjuration": 4, "attack_rating": 4}
CLUB = {"name": "club", "dice": 3, "sides": 4, "tags": ["heavy"]}
HERO = {"name": "Kara", "aspects": {"body": 14, "mind": 6, "spirit": 4}}
SWORD = {"name": "sword", "size": "medium", "quality": "fine"}


def hero(**fields: Any) -> dict[str, Any]:
    """A character with these fields."""
    return copy.deepcopy({**HERO, **fields})


def foe(**fields: Any) -> dict[str, Any]:
    """A monster with these fields."""
    return copy.deepcopy({**FOE, "attacks": [CLUB], **fields})


def built(party: Any = None, foes: Any = None, **fields: Any) -> Built:
    """An encounter, built."""
    data = {"ruleset": "the_lens", "name": "Test", "party": party or [hero()], "foes": foes or [foe()], **fields}
    return build(TheLensEncounter.model_validate(data))


def sheet(result: Built, who: int = 0) -> Any:
    """The sheet of a fighter."""
    return result.setup[0]["sheets"][who]


def dice(result: Built, ability: int, who: int = 0) -> tuple[int, int, int, int]:
    """(Talent, Training, third, bare) of an ability, in sides."""
    talent, training, third, bare = sheet(result, who)["abilities"][ability].tolist()
    return talent, training, third, bare


def wrong(party: Any = None, foes: Any = None, **fields: Any) -> list[tuple[str, str]]:
    """What the builder says: (dotted path, problem)."""
    with pytest.raises(FieldError) as caught:
        built(party, foes, **fields)
    errors = (caught.value, *caught.value.more)
    return [(".".join(map(str, error.path)), error.problem) for error in errors]


# --- abilities and dice ------------------------------------------------------------------------------------


def test_an_unlisted_ability_is_average_and_untrained() -> None:
    """Section 1: d8, no Training die, and no third die without a tool."""
    assert dice(built(), Ability.SOURCE) == (8, 0, 0, 0)


@pytest.mark.parametrize(
    ("talent", "rank", "expected"),
    [
        ("weak", "novice", (6, 4, 2, 2)),
        ("average", "apprentice", (8, 6, 4, 4)),
        ("strong", "journeyman", (10, 8, 6, 6)),
        ("gifted", "artisan", (12, 10, 8, 8)),
        ("gifted", "master", (12, 12, 10, 10)),
    ],
)
def test_without_a_tool_the_third_die_is_a_step_below(talent: str, rank: str, expected: tuple[int, ...]) -> None:
    """[R-01] d4 -> d2, d6 -> d4, d8 -> d6, d10 -> d8, d12 -> d10."""
    result = built([hero(abilities={"maneuvering": {"talent": talent, "rank": rank}})])
    assert dice(result, Ability.MANEUVERING) == expected


def test_the_tool_in_use_gives_the_third_die() -> None:
    """Section 1: weapon, shield and armour are the tools of their abilities, but not when nothing is used."""
    trained = {"rank": "apprentice"}
    result = built(
        [
            hero(
                abilities={"weapon_use": trained, "shield_use": trained, "armor_use": trained},
                weapon=SWORD,
                shield={"quality": "crude"},
                armor={"rating": 2, "quality": "legendary"},
            )
        ]
    )
    assert dice(result, Ability.WEAPON_USE) == (8, 6, 6, 4)
    assert dice(result, Ability.SHIELD_USE) == (8, 6, 2, 4)
    assert dice(result, Ability.ARMOR_USE) == (8, 6, 12, 4)


def test_third_die_training_makes_it_a_second_training_die() -> None:
    """[R-01] The switch holds with a tool, without one and with bare hands."""
    abilities = {"weapon_use": {"rank": "master"}, "source": {"rank": "novice"}}
    result = built([hero(abilities=abilities, weapon=SWORD)], rules={"third_die": "training"})
    assert dice(result, Ability.WEAPON_USE) == (8, 12, 12, 12)
    assert dice(result, Ability.SOURCE) == (8, 4, 4, 4)
    assert sheet(result)["unarmed_third"] == 12


def test_bare_hands() -> None:
    """Section 1: third die d2, damage 1d2; they reach one square and cannot be lost."""
    result = built()
    weapon, hands = sheet(result)["attacks"][:2]
    assert (weapon["exists"], hands["exists"], hands["reach"], hands["natural"], hands["tags"]) == (0, 1, 1, 1, 0)
    assert (hands["damage"]["least"], hands["damage"]["count"], hands["damage"]["total"]) == (1, 2, 2)
    assert (sheet(result)["has_weapon"], sheet(result)["unarmed_third"]) == (0, 2)


def test_natural_armour_may_lack_a_quality() -> None:
    """[R-01] Its third die is then that of an ability without tool."""
    result = built([hero(abilities={"armor_use": {"rank": "artisan"}}, armor={"rating": 3, "natural": True})])
    assert dice(result, Ability.ARMOR_USE) == (8, 10, 8, 8)
    assert (sheet(result)["has_armor"], sheet(result)["armor_rating"]) == (1, 3)


def test_other_abilities_get_slots_in_the_order_of_the_file() -> None:
    """Section 1: Schools, and any ability for initiative or surprise; spellings with spaces are the same."""
    spell = {"name": "dart", "school": "Fire Magic", "parameters": [2], "dice": 1, "sides": 4}
    party = [
        hero(
            abilities={"fire_magic": {"talent": "gifted", "rank": "novice"}, "cooking": {}},
            initiative_abilities=["maneuvering", "tactics"],
            spells=[spell],
        )
    ]
    result = built(party, surprise={"ambush": {"tn": 4}})
    assert result.names["abilities"][6:] == ("perception", "tactics", "fire_magic")
    assert list(sheet(result)["initiative"][:2]) == [Ability.MANEUVERING, 7]
    assert sheet(result)["spells"][0]["school"] == 8
    assert dice(result, 8) == (12, 4, 2, 2)


# --- the character's sheet ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "quality", "least", "most", "ways"),
    [("tiny", "legendary", 1, 12, 12), ("large", "crude", 4, 8, 16), ("medium", "common", 3, 12, 64)],
)
def test_weapon_damage(size: str, quality: str, least: int, most: int, ways: int) -> None:
    """Section 6: a legendary dagger 1d12, a crude two-handed sword 4d2, a common long sword 3d4."""
    damage = sheet(built([hero(weapon={"name": "w", "size": size, "quality": quality})]))["attacks"][0]["damage"]
    assert (damage["least"], damage["least"] + damage["count"] - 1, damage["total"]) == (least, most, ways)


def test_a_sum_of_two_dice_is_exact() -> None:
    """2d4 shows 2..8 in 1, 2, 3, 4, 3, 2, 1 of 16 ways."""
    damage = sheet(built(foes=[foe(attacks=[{"name": "a", "dice": 2, "sides": 4}])]), 1)["attacks"][0]["damage"]
    assert list(damage["weights"][:8]) == [1, 2, 3, 4, 3, 2, 1, 0]


@pytest.mark.parametrize(("rank", "limit"), [("untrained", 0), ("novice", 1), ("journeyman", 3), ("master", 5)])
def test_tag_limit(rank: str, limit: int) -> None:
    """[R-11] As many tags as the rank counts from Untrained."""
    assert sheet(built([hero(abilities={"weapon_use": {"rank": rank}})]))["tag_limit"] == limit


@pytest.mark.parametrize(
    ("gifts", "momentum"),
    [([], 3), (["quickness"], 4), (["speed"], 4), (["quickness", "reflexes", "swiftness"], 6)],
)
def test_gifts_add_momentum(gifts: list[str], momentum: int) -> None:
    """[R-05] One each; the gift of Speed counts as Swiftness."""
    assert sheet(built([hero(gifts=gifts)]))["momentum"] == momentum


def test_a_range_makes_a_missile() -> None:
    """Section 9: MISSILE marks ranged attacks; magic is none."""
    attacks = [
        {"name": "sling", "dice": 1, "sides": 4, "range": 6},
        {"name": "ray", "dice": 1, "sides": 4, "range": 6, "magic": True},
        {"name": "fist", "dice": 1, "sides": 4, "tags": ["stun", "crushing"]},
        {"name": "dart", "dice": 1, "sides": 4, "tags": ["missile"]},
    ]
    result = built([hero(weapon={**SWORD, "range": 12})], [foe(attacks=attacks)])
    assert sheet(result)["attacks"][0]["tags"] == 1 << Tag.MISSILE
    assert sheet(result)["attacks"][0]["reach"] == 12
    tags = [int(attack["tags"]) for attack in sheet(result, 1)["attacks"]]
    assert tags == [1 << Tag.MISSILE, 0, 1 << Tag.STUN | 1 << Tag.CRUSHING, 1 << Tag.MISSILE]


@pytest.mark.parametrize(
    ("rank", "parameters", "complexity", "sure"),
    [
        ("journeyman", {"power": 3, "reach": 1}, 4, 1),
        ("journeyman", [2, 3], 5, 0),
        ("untrained", [1], 1, 0),
        ("master", [6], 6, 1),
    ],
)
def test_complexity(rank: str, parameters: Any, complexity: int, sure: int) -> None:
    """[R-07] The sum of the parameters; no roll up to half the sides of the Source Training die (d8: 4, d12: 6)."""
    spell = {"name": "s", "school": "fire", "parameters": parameters, "dice": 1, "sides": 4}
    record = sheet(built([hero(abilities={"source": {"rank": rank}}, spells=[spell])]))["spells"][0]
    assert (record["complexity"], record["sure"], record["reach"]) == (complexity, sure, 0)


@pytest.mark.parametrize(("fields", "ward"), [({}, 4), ({"ward": 0}, 0), ({"ward": 7}, 7)])
def test_ward(fields: dict[str, int], ward: int) -> None:
    """[R-21] Half the sides of the Abjuration Training die (d8: 4) unless the sheet says otherwise."""
    assert sheet(built([hero(abilities={"abjuration": {"rank": "journeyman"}}, **fields)]))["ward"] == ward


def test_items() -> None:
    """[R-12] The cost by size; the target number only with an ability."""
    items = [
        {"name": "salve", "size": "tiny", "uses": 2, "effect": "heal", "amount": 3, "pool": "mind"},
        {"name": "bomb", "size": "immense", "effect": "harm", "amount": 9, "ability": "craft", "tn": 6},
        {"name": "oil", "size": "small", "effect": "add_tag", "tag": "piercing"},
        {"name": "bandage", "size": "huge", "effect": "cure", "tag": "bleeding"},
    ]
    salve, bomb, oil, bandage = sheet(built([hero(items=items)]))["items"]
    assert [int(record["cost"]) for record in (salve, bomb, oil, bandage)] == [0, 7, 1, 4]
    assert (salve["uses"], salve["effect"], salve["amount"], salve["pool"]) == (2, Effect.HEAL, 3, Pool.MIND)
    assert (bomb["rolled"], bomb["ability"], bomb["tn"], bomb["tag"], bomb["pool"]) == (1, 6, 6, -1, Pool.BODY)
    assert (oil["effect"], oil["tag"], oil["rolled"]) == (Effect.ADD_TAG, Tag.PIERCING, 0)
    assert (bandage["effect"], bandage["tag"]) == (Effect.CURE, Tag.BLEEDING)


# --- monsters, rules, board --------------------------------------------------------------------------------


def test_a_monster() -> None:
    """Section 7: an attack's rating is the monster's unless it has its own; the talent die is d8 by default."""
    attacks = [CLUB, {"name": "gaze", "dice": 1, "sides": 6, "magic": True, "pool": "mind", "attack_rating": 7}]
    it = sheet(built(foes=[foe(attacks=attacks, armor=2, guard="nimble", recovers=True, momentum=0)]), 1)
    assert [int(attack["rating"]) for attack in it["attacks"][:2]] == [4, 7]
    assert (it["attacks"][1]["magic"], it["attacks"][1]["pool"]) == (1, Pool.MIND)
    assert (it["armor"], it["guard"], it["recovers"], it["momentum"], it["talent"]) == (2, Guard.NIMBLE, 1, 0, 8)
    assert (it["body"], it["mind"], it["spirit"], it["attacks"][2]["exists"]) == (18, 0, 0, 0)


def test_count_makes_several() -> None:
    """Numbered from 1, after the party, in the order of the file."""
    result = built(foes=[foe(name="Rat", count=2), foe()])
    assert result.fighters == ("Kara", "Rat 1", "Rat 2", "Ogre")
    assert list(result.sides) == [0, 1, 1, 1]
    assert (result.setup[0]["count"], result.setup[0]["party_count"]) == (4, 1)
    assert built(foes=[foe(count=1)]).fighters == ("Kara", "Ogre 1")


def test_rules() -> None:
    """Sections 2, 5, 7, 8: the switches; initiative against the highest Initiative of the foes."""
    switches = {
        "parry": "riposte",
        "moves_per_turn": 1,
        "surprised_initiative": "confused",
        "reactions": "defence_only",
    }
    result = built(foes=[foe(), foe(name="Imp", initiative=7)], rules=switches, max_rounds=9)
    rules = result.setup[0]["rules"]
    assert [int(rules[name]) for name in ("riposte", "one_move", "surprised_confused", "defence_only")] == [1] * 4
    assert (rules["max_rounds"], rules["initiative_tn"], rules["surprise"]) == (9, 7, SurpriseKind.NONE)
    plain = built().setup[0]["rules"]
    assert [int(plain[name]) for name in ("riposte", "one_move", "surprised_confused", "defence_only")] == [0] * 4
    assert plain["max_rounds"] == 50


@pytest.mark.parametrize(
    ("surprise", "kind", "ability", "tn"),
    [
        ("party", SurpriseKind.PARTY, 0, 0),
        ("foes", SurpriseKind.FOES, 0, 0),
        ({"ambush": {"tn": 6}}, SurpriseKind.AMBUSH, 6, 6),
        ({"ambush": {"ability": "maneuvering", "tn": 2}}, SurpriseKind.AMBUSH, Ability.MANEUVERING, 2),
        ({"stalk": {"ability": "stealth", "tn": 4}}, SurpriseKind.STALK, 6, 4),
    ],
)
def test_surprise(surprise: Any, kind: int, ability: int, tn: int) -> None:
    """[R-02] By the file, by an ambush (Perception unless another is named), or by stalking."""
    rules = built(surprise=surprise).setup[0]["rules"]
    assert (rules["surprise"], rules["surprise_ability"], rules["surprise_tn"]) == (kind, ability, tn)


BOARD = {"kind": "hex", "width": 5, "height": 4, "blocked": [[2, 3]], "difficult": {"4,1": 6}}


def test_a_board() -> None:
    """Section 5: cells by y * MAX_SIZE + x; where the fighters begin."""
    result = built([hero(position=[0, 1])], [foe(count=2, positions=[[3, 3], [4, 1]])], board=BOARD)
    board = result.setup[0]["board"]
    assert (board["kind"], board["width"], board["height"]) == (BoardKind.HEX, 5, 4)
    assert (board["cells"][3 * MAX_SIZE + 2], board["cells"][1 * MAX_SIZE + 4]) == (BLOCKED, 6)
    assert np.count_nonzero(board["cells"]) == 2
    assert [(int(sheet(result, i)["start_x"]), int(sheet(result, i)["start_y"])) for i in range(3)] == [
        (0, 1),
        (3, 3),
        (4, 1),
    ]


def test_without_a_board_nobody_is_anywhere() -> None:
    """[R-14]"""
    result = built()
    assert result.setup[0]["board"]["kind"] == BoardKind.NONE
    assert (sheet(result)["start_x"], sheet(result)["start_y"]) == (-1, -1)


# --- names -------------------------------------------------------------------------------------------------


def test_action_names() -> None:
    """Every action has a name of its own; shared slots are named after all their users."""
    bite, claw = ({"name": name, "dice": 1, "sides": 4} for name in ("bite", "claw"))
    spells = [{"name": "dart", "school": "fire", "parameters": [1], "dice": 1, "sides": 4}]
    salve = {"name": "salve", "size": "tiny", "effect": "heal", "amount": 1}
    bomb = {"name": "bomb", "size": "tiny", "effect": "harm", "amount": 1}
    party = [
        hero(spells=spells, items=[salve], initiative_abilities=["maneuvering", "source"]),
        hero(name="Odo", items=[bomb, salve], initiative_abilities=["weapon_use"]),
    ]
    actions = built(party, [foe(), foe(name="Rat", attacks=[bite, claw])]).actions
    assert len(actions) == len(set(actions)) == catalogue.SIZE
    names = {name: index for index, name in enumerate(actions)}
    assert names["END TURN"] == 0
    assert names["BLOCK"] == catalogue.DEFEND + 3
    assert names["STEP NW"] == catalogue.STEP + 7
    assert names["TAG PIERCING"] == catalogue.TAG + 12
    assert names["REMOVE SLASHING"] == catalogue.REMOVE + 8
    assert names["RECOVER 9"] == catalogue.RECOVER + 9
    assert names["ROLL maneuvering/weapon_use"] == catalogue.INITIATIVE
    assert names["ROLL source"] == catalogue.INITIATIVE + 1
    assert names["FORM dart"] == catalogue.FORM
    assert names["USE salve/bomb"] == catalogue.USE
    assert names["USE salve"] == catalogue.USE + 1
    assert names["TARGET Odo"] == catalogue.TARGET + 1
    assert names["TARGET Rat"] == catalogue.TARGET + 3
    assert names["CAST Ogre"] == catalogue.CAST + 2
    assert names["ATTACK Rat"] == catalogue.ATTACK + 3
    assert names["ATTACK Kara with club/bite"] == catalogue.ATTACK
    assert names["ATTACK Odo with claw"] == catalogue.ATTACK + MAX_FIGHTERS + 1
    assert "CAST Kara" not in names
    assert actions[catalogue.FORM + 1] == f"#{catalogue.FORM + 1}"


def test_names_that_collide_get_their_slot() -> None:
    """Two slots whose joint names are the same."""
    a, b, ab = ({"name": name, "dice": 1, "sides": 4} for name in ("a", "b", "a/b"))
    actions = built(foes=[foe(name="X", attacks=[a, ab]), foe(name="Y", attacks=[b])]).actions
    assert actions[catalogue.ATTACK] == "ATTACK Kara with a/b"
    assert actions[catalogue.ATTACK + MAX_FIGHTERS] == "ATTACK Kara with a/b (slot 2)"


def test_fighters_have_their_own_names_for_what_they_share() -> None:
    bite, claw = ({"name": name, "dice": 1, "sides": 4} for name in ("bite", "claw"))
    salve = {"name": "salve", "size": "tiny", "effect": "heal", "amount": 1}
    bomb = {"name": "bomb", "size": "tiny", "effect": "harm", "amount": 1}
    party = [hero(items=[salve]), hero(name="Odo", items=[bomb, salve], initiative_abilities=["weapon_use"])]
    result = built(party, [foe(), foe(name="Rat", attacks=[bite, claw])])
    assert result.own_names == {
        (0, catalogue.INITIATIVE): "ROLL maneuvering",
        (1, catalogue.INITIATIVE): "ROLL weapon_use",
        (0, catalogue.USE): "USE salve",
        (1, catalogue.USE): "USE bomb",
        **{(2, catalogue.ATTACK + who): f"ATTACK {name} with club" for who, name in enumerate(("Kara", "Odo"))},
        **{(3, catalogue.ATTACK + who): f"ATTACK {name} with bite" for who, name in enumerate(("Kara", "Odo"))},
    }
    assert built().own_names == {}


def test_names_for_texts() -> None:
    """Attacks, spells and items by fighter and slot; a character's slot 1 is the bare hands."""
    names = built([hero(weapon=SWORD), hero(name="Odo")]).names
    assert names["attacks"] == (("sword", "bare hands"), ("bare hands", "bare hands"), ("club",))
    assert names["spells"] == names["items"] == ((), (), ())


# --- forbidden actions -------------------------------------------------------------------------------------


def forbidden(result: Built, side: str) -> set[str]:
    """The names of the forbidden actions of a side."""
    flags = result.setup[0][f"forbidden_{side}"].view(np.uint8)
    assert set(np.unique(flags)) <= {0, 1}
    return {result.actions[index] for index in np.flatnonzero(flags)}


def test_forbid() -> None:
    """A full name, or the first word of several actions; bytes like those of the mask."""
    foes = [foe(), foe(name="Rat")]
    result = built(foes=foes, forbid={"party": ["BLOCK", "ATTACK", "RECOVER WEAPON"], "foes": ["STAND"]})
    assert forbidden(result, "party") == {"BLOCK", "RECOVER WEAPON", "ATTACK Ogre", "ATTACK Rat"}
    assert forbidden(result, "foes") == {"STAND"}
    assert result.setup[0]["forbids"] == 1
    assert built().setup[0]["forbids"] == 0


def test_forbid_names_what_exists() -> None:
    """An unknown action is an error; the unused ones cannot be named."""
    with pytest.raises(FieldError) as caught:
        built(forbid={"party": ["BLOCK", "BLOK"], "foes": ["#100"]})
    assert caught.value.path == ("forbid", "party", 1)
    assert caught.value.problem.startswith("the party has no action 'BLOK' here; actions: END TURN, STAND, RECOVER, ")
    assert "BLOCK" in caught.value.known
    assert caught.value.more[0].path == ("forbid", "foes", 0)


# --- what does not fit together ----------------------------------------------------------------------------

LARGE = {"name": "great sword", "size": "large", "quality": "common"}
SPELL = {"name": "dart", "school": "fire", "parameters": [2], "dice": 1, "sides": 4}
ITEM = {"name": "salve", "size": "tiny", "effect": "heal"}


@pytest.mark.parametrize(
    ("fields", "path", "problem"),
    [
        ({"weapon": LARGE, "shield": {"quality": "fine"}}, "shield", "both hands"),
        ({"aspects": {"body": 9, "mind": 1, "spirit": 0}, "spells": [SPELL]}, "spells", "need SPIRIT"),
        ({"armor": {"rating": 1}}, "armor", "worn armour needs a quality"),
        ({"gifts": ["swiftness", "speed"]}, "gifts.1", "named twice"),
        ({"initiative_abilities": ["source", "Source"]}, "initiative_abilities.1", "named twice"),
        ({"abilities": {"weapon_use": {}, "Weapon Use": {}}}, "abilities.weapon_use", "listed twice"),
        ({"spells": [{**SPELL, "parameters": []}]}, "spells.0.parameters", "Complexity of 0"),
        ({"spells": [{**SPELL, "parameters": [30, 1]}]}, "spells.0.parameters", "Complexity of 31"),
        ({"spells": [SPELL, SPELL]}, "spells.1", "named twice"),
        ({"spells": [{**SPELL, "dice": 20, "sides": 12}]}, "spells.0.dice", "20d12 is too much"),
        ({"items": [ITEM]}, "items.0", "effect heal needs amount"),
        ({"items": [{**ITEM, "amount": 1, "tag": "stun"}]}, "items.0.tag", "means nothing for effect heal"),
        ({"items": [{**ITEM, "effect": "cure", "tag": "heavy"}]}, "items.0.tag", "cannot be the tag"),
        ({"items": [{**ITEM, "effect": "add_tag", "tag": "missile"}]}, "items.0.tag", "cannot be the tag"),
        ({"items": [{**ITEM, "amount": 1, "tn": 4}]}, "items.0", "ability and tn belong together"),
        ({"weapon": {**SWORD, "tags": ["stun", "stun"]}}, "weapon.tags.1", "named twice"),
        ({"position": [0, 0]}, "position", "no board"),
    ],
)
def test_a_character_that_does_not_fit(fields: dict[str, Any], path: str, problem: str) -> None:
    """Every error names its field."""
    found = wrong([hero(**fields)])[0]
    assert found[0] == f"party.0.{path}"
    assert problem in found[1]


@pytest.mark.parametrize(
    ("fields", "path", "problem"),
    [
        ({"name": "Kara"}, "name", "another fighter is called 'Kara'"),
        ({"attacks": [CLUB, CLUB]}, "attacks.1", "named twice"),
        ({"attacks": [{**CLUB, "dice": 9, "sides": 11}]}, "attacks.0.dice", "equally likely cases"),
        ({"positions": [[1, 1]]}, "positions", "needs a count"),
        ({"count": 2, "positions": [[1, 1]]}, "positions", "1 positions for a count of 2"),
        ({"count": 2, "position": [1, 1]}, "position", "positions"),
    ],
)
def test_a_monster_that_does_not_fit(fields: dict[str, Any], path: str, problem: str) -> None:
    """Every error names its field."""
    found = wrong(foes=[foe(**fields)])
    assert any(where == f"foes.0.{path}" and problem in what for where, what in found), found


@pytest.mark.parametrize(
    ("position", "path", "problem"),
    [
        ([2, 3], "party.0.position", "blocked"),
        ([5, 0], "party.0.position", "off the board"),
        ([0, 4], "party.0.position", "off the board"),
        ([0, 0], "foes.0.position", "Kara stands on cell 0,0"),
        (None, "party.0", "has no position"),
    ],
)
def test_positions_on_a_board(position: list[int] | None, path: str, problem: str) -> None:
    """Everyone stands on a free cell of the board."""
    fields = {} if position is None else {"position": position}
    found = wrong([hero(**fields)], [foe(position=[0, 0])], board=BOARD)
    assert len(found) == 1
    assert found[0][0] == path
    assert problem in found[0][1]


@pytest.mark.parametrize(
    ("change", "path", "problem"),
    [
        ({"blocked": [[5, 0]]}, "board.blocked.0", "off the board"),
        ({"blocked": [[3, 3], [3, 3]]}, "board.blocked.1", "named twice"),
        ({"difficult": {"2;2": 4}}, "board.difficult.2;2", 'written "x,y"'),
        ({"difficult": {"9,9": 4}}, "board.difficult.9,9", "off the board"),
        ({"difficult": {"2,3": 4}}, "board.difficult.2,3", "named twice"),
    ],
)
def test_a_board_that_does_not_fit(change: dict[str, Any], path: str, problem: str) -> None:
    """Cells lie on the board and are of one kind."""
    found = wrong([hero(position=[0, 0])], [foe(position=[1, 0])], board={**BOARD, **change})
    assert found[0][0] == path
    assert problem in found[0][1]


def test_too_many_fighters_and_abilities() -> None:
    """What a record cannot hold is an error, not a surprise."""
    assert wrong(foes=[foe(count=11), foe(name="One more")])[0] == (
        "foes",
        "13 fighters in all; at most 12 fit",
    )
    party = [hero(name=f"H{i}", initiative_abilities=[f"a{i}{j}" for j in range(4)]) for i in range(3)]
    assert wrong(party)[0][0] == "party.2.initiative_abilities.2"


def test_all_errors_are_told_at_once() -> None:
    """In the order of the file."""
    found = wrong([hero(gifts=["speed", "speed"], armor={"rating": 1})], [foe(attacks=[CLUB, CLUB])])
    assert [path for path, _ in found] == ["party.0.armor", "party.0.gifts.1", "foes.0.attacks.1"]


def test_surprise_is_one_thing() -> None:
    """Neither both ways at once nor neither."""
    for surprise in ({}, {"ambush": {"tn": 4}, "stalk": {"ability": "stealth", "tn": 4}}):
        assert wrong(surprise=surprise)[0][0] == "surprise"


# --- warnings ----------------------------------------------------------------------------------------------


def test_a_reasonable_encounter_has_no_warnings() -> None:
    """TN 4 is within reach of a d8."""
    assert built([hero(weapon=SWORD)]).warnings == ()


def test_certain_botches_are_told() -> None:
    """Section 1: no die of d8, d4 and d2 reaches 9; those of d10 reach it."""
    party = [hero(abilities={"maneuvering": {"rank": "novice"}}, weapon=SWORD)]
    assert built(party, [foe(initiative=9)]).warnings == (
        "Kara: every initiative roll against the foes' Initiative 9 is a certain BOTCH",
    )
    assert built(party, [foe(initiative=8)]).warnings == ()
    strong = [hero(initiative_abilities=["maneuvering", "source"], abilities={"source": {"talent": "strong"}})]
    assert built(strong, [foe(initiative=9)]).warnings == ()


def test_warnings_about_attacks_and_defences() -> None:
    """Only defences that are possible: HEAVY rules out PARRY, SWEEPING DODGE, magic all but ABJURE and DODGE."""
    sweep = {"name": "sweep", "dice": 1, "sides": 4, "tags": ["sweeping"]}
    ray = {"name": "ray", "dice": 1, "sides": 4, "magic": True}
    result = built([hero(weapon=SWORD)], [foe(count=2, attack_rating=9, defense=10, attacks=[CLUB, sweep, ray])])
    assert result.warnings == (
        "Kara: every weapon_use roll against the Defense of Ogre, 10 is a certain BOTCH",
        "Kara: every DODGE roll against the Attack Rating of Ogre's club, 9 is a certain BOTCH",
        "Kara: every PARRY roll against the Attack Rating of Ogre's sweep, 9 is a certain BOTCH",
        "Kara: every ABJURE roll against the Attack Rating of Ogre's ray, 9 is a certain BOTCH",
        "Kara: every DODGE roll against the Attack Rating of Ogre's ray, 9 is a certain BOTCH",
    )


def test_warnings_about_spells_and_items() -> None:
    """FORM against the Complexity, the School against Abjuration, an item against its own number."""
    spells = [{**SPELL, "parameters": [9]}]
    items = [{"name": "bomb", "size": "tiny", "effect": "harm", "amount": 1, "ability": "craft", "tn": 12}]
    result = built([hero(spells=spells, items=items)], [foe(abjuration=9)])
    assert result.warnings == (
        "Kara: every source roll against the Complexity of dart, 9 is a certain BOTCH",
        "Kara: every craft roll against the TN of bomb, 12 is a certain BOTCH",
        "Kara: every fire (dart) roll against the Abjuration of Ogre, 9 is a certain BOTCH",
    )


def test_rolls_that_cannot_get_the_success_they_need_are_told() -> None:
    """An ability that the sheet leaves out is a d8 alone: one Effort at most."""
    items = [{"name": "bomb", "size": "tiny", "effect": "harm", "amount": 1, "ability": "craft", "tn": 4}]
    assert built([hero(items=items)], surprise={"stalk": {"ability": "stealth", "tn": 4}}).warnings == (
        "Kara: no stealth roll against the stalking TN 4 can get SUCCESS, and nothing less counts",
        "Kara: no craft roll against the TN of bomb, 4 can get SUCCESS, and nothing less counts",
    )
    trained = hero(items=items, abilities={"craft": {"rank": "novice"}, "stealth": {"rank": "novice"}})
    assert built([trained], surprise={"stalk": {"ability": "stealth", "tn": 4}}).warnings == ()
    assert built(surprise={"ambush": {"tn": 4}}).warnings == (
        "Kara: no perception roll against the ambush's TN 4 can get SUCCESS, and nothing less counts",
    )


def test_warnings_about_the_ground_and_the_ambush() -> None:
    """No tool counts for either: d8 alone does not reach 9."""
    board = {**BOARD, "difficult": {"4,1": 9}}
    party, foes = [hero(position=[0, 0])], [foe(position=[1, 0])]
    assert built(party, foes, board=board, surprise={"ambush": {"tn": 9}}).warnings == (
        "Kara: every perception roll against the ambush's TN 9 is a certain BOTCH",
        "Kara: every maneuvering roll against the terrain's TN 9 is a certain BOTCH",
    )


def test_a_misspelt_ability_is_told() -> None:
    """An ability of the sheet that is never rolled is no error, unless it looks like one that is."""
    result = built([hero(abilities={"weapon_uze": {}, "cooking": {}})])
    assert result.warnings == ("Kara: the ability weapon_uze is never rolled here; did you mean weapon_use?",)


# --- words and codes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (sheets.TagName, [tag.name.lower() for tag in Tag]),
        (sheets.PoolName, [pool.name.lower() for pool in Pool]),
        (sheets.GuardName, [guard.name.lower() for guard in Guard]),
        (sheets.EffectName, [effect.name.lower() for effect in Effect]),
        (sheets.Quality, list(sheets.QUALITY_SIDES)),
        (sheets.Talent, list(sheets.TALENT_SIDES)),
        (sheets.Rank, list(sheets.RANK_SIDES)),
        (sheets.WeaponSize, list(sheets.WEAPON_DICE)),
        (sheets.ItemSize, list(sheets.ITEM_COST)),
    ],
)
def test_the_words_of_a_file_are_the_codes(words: Any, names: list[str]) -> None:
    """No word without a code and no code without a word."""
    assert list(get_args(words)) == names
