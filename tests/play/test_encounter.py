"""Encounter files: what is read, what every mistake is told as (with line and column), variants, round trips."""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lens_env.errors import EncounterError
from lens_env.play import encounter, yaml_text
from lens_env.play.encounter import Encounter, list_encounters, load_encounter
from lens_env.rulesets import RULESETS, Rulesets, UnknownRuleset

KNOWN = ", ".join(sorted(RULESETS))
TEXT = """\
ruleset: the_lens
name: Test
board: none
max_rounds: 30
surprise: none
party:
  - name: Kara
    aspects: {body: 14, mind: 6, spirit: 4}
    weapon: {name: sword, size: medium, quality: fine, tags: [slashing]}
    gifts: [quickness]
foes:
  - name: Ogre
    body: 18
    initiative: 4
    defense: 4
    abjuration: 4
    attack_rating: 4
    attacks: [{name: club, dice: 3, sides: 4}]
vary: {}
"""


def edited(old: str, new: str) -> str:
    """The text with one thing changed."""
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


def error_of(text: str) -> str:
    """What loading a text says."""
    with pytest.raises(EncounterError) as caught:
        Encounter.from_text(text, "t.yaml")
    return str(caught.value)


# --- mistakes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "size: medium",
            "size: medum",
            "t.yaml:9:33: party.0.weapon.size: cannot be 'medum'; "
            "allowed: tiny, small, medium, large; did you mean medium?",
        ),
        ("size: medium, ", "", "t.yaml:9:5: party.0.weapon.size: is missing"),
        (
            "board: none",
            "board: nne",
            "t.yaml:3:8: board: cannot be 'nne'; allowed: none, a block of fields; did you mean none?",
        ),
        ("body: 18", "body: lots", "t.yaml:13:11: foes.0.body: must be a whole number, got 'lots'"),
        ("body: 18", "body: 1.5", "t.yaml:13:11: foes.0.body: must be a whole number, got 1.5"),
        ("body: 18", "body: true", "t.yaml:13:11: foes.0.body: must be a whole number, got true"),
        ("body: 18", "body:", "t.yaml:13:5: foes.0.body: must be a whole number, got nothing"),
        ("body: 18", "body: 0", "t.yaml:13:11: foes.0.body: must be at least 1, got 0"),
        ("body: 18", "body: 201", "t.yaml:13:11: foes.0.body: must be at most 200, got 201"),
        ("defense: 4", "defense: 31", "t.yaml:15:14: foes.0.defense: must be at most 30, got 31"),
        ("sides: 4", "sides: 0", "t.yaml:18:44: foes.0.attacks.0.sides: must be at least 1, got 0"),
        (
            "name: Ogre",
            'name: "#1"',
            "t.yaml:12:11: foes.0.name: must be 1 to 40 printable characters without # or a space at the ends, "
            "got '#1'",
        ),
        (
            "name: Ogre",
            'name: "\\e[1mOgre"',
            "t.yaml:12:11: foes.0.name: must be 1 to 40 printable characters without # or a space at the ends, "
            "got '\\x1b[1mOgre'",
        ),
        (
            "body: 18",
            "body: 18\n    talent: 8.0",
            "t.yaml:14:13: foes.0.talent: cannot be 8.0; allowed: 4, 6, 8, 10, 12",
        ),
        (
            "max_rounds: 30",
            "rules: {moves_per_turn: true}",
            "t.yaml:4:25: rules.moves_per_turn: cannot be true; allowed: any, 1",
        ),
        ("name: Ogre", "name: [a]", "t.yaml:12:11: foes.0.name: must be a text, got a list"),
        (
            "aspects: {body: 14, mind: 6, spirit: 4}",
            "aspects: 3",
            "t.yaml:8:14: party.0.aspects: must be a block of fields, got 3",
        ),
        ("gifts: [quickness]", "gifts: quickness", "t.yaml:10:12: party.0.gifts: must be a list, got 'quickness'"),
        (
            "attacks: [{name: club, dice: 3, sides: 4}]",
            "attacks: []",
            "t.yaml:18:14: foes.0.attacks: must have at least 1 entry, has 0",
        ),
        (
            "surprise: none",
            "surprise: {ambus: {tn: 4}}",
            "t.yaml:5:12: surprise.ambus: is no known field; allowed: ambush, stalk; did you mean ambush?",
        ),
        (
            "surprise: none",
            "surprise: {ambush: {tn: x}}",
            "t.yaml:5:25: surprise.ambush.tn: must be a whole number, got 'x'",
        ),
        ("surprise: none", "surprise: {stalk: {tn: 4}}", "t.yaml:5:12: surprise.stalk.ability: is missing"),
        (
            "surprise: none",
            "surprise: {}",
            "t.yaml:5:11: surprise: must have exactly one of ambush and stalk; allowed: ambush, stalk",
        ),
        (
            "ruleset: the_lens",
            "ruleset: the_lenz",
            f"t.yaml:1:10: ruleset: there is no ruleset 'the_lenz'; allowed: {KNOWN}; did you mean the_lens?",
        ),
        ("ruleset: the_lens\n", "", f"t.yaml:1:1: ruleset: is missing; allowed: {KNOWN}"),
        ("name: Test\n", "", "t.yaml:1:1: name: is missing"),
        (
            "gifts: [quickness]",
            "position: [0, 0]",
            "t.yaml:10:15: party.0.position: there is no board to stand on: give a board, or no position",
        ),
        ("name: Ogre", "name: Kara", "t.yaml:12:11: foes.0.name: another fighter is called 'Kara' already"),
        (
            "max_rounds: 30",
            "forbid: {party: [BLOCK, DOGE]}",
            "t.yaml:4:25: forbid.party.1: the party has no action 'DOGE' here; actions: END TURN, STAND, RECOVER, "
            "DOUSE, BEFORE, AFTER, YIELD, SACRIFICE, ASSIST, INTERFERE, PASS, REDUCE DAMAGE, NONE, ABJURE, MITIGATE, "
            "BLOCK, DODGE, PARRY, TAG, REMOVE, ROLL maneuvering, ATTACK Ogre; did you mean DODGE?",
        ),
    ],
)
def test_a_wrong_field(old: str, new: str, message: str) -> None:
    """File, line, column, path, what is wrong, what is allowed, and the likely word."""
    assert error_of(edited(old, new)) == message


def test_an_unknown_field() -> None:
    """The place is that of the name; the known fields are those of its own block."""
    message = error_of(edited("gifts:", "gift:"))
    assert message.startswith("t.yaml:10:5: party.0.gift: is no known field; allowed: name, aspects, abilities,")
    assert message.endswith("did you mean gifts?")


def test_several_mistakes_are_told_at_once() -> None:
    """One line each, in the order of the file."""
    text = (
        edited("quality: fine", "quality: fin")
        .replace("body: 18", "body: x")
        .replace("max_rounds: 30", "max_rounds: 0")
    )
    places = [line.split(": ")[:2] for line in error_of(text).splitlines()]
    assert places == [
        ["t.yaml:4:13", "max_rounds"],
        ["t.yaml:9:50", "party.0.weapon.quality"],
        ["t.yaml:13:11", "foes.0.body"],
    ]


def test_mistakes_between_fields_are_told_at_once() -> None:
    """Those that the builder finds, too."""
    text = edited("gifts: [quickness]", "gifts: [speed, speed]").replace("tags: [slashing]", "tags: [stun, stun]")
    assert error_of(text).splitlines() == [
        "t.yaml:9:69: party.0.weapon.tags.1: tag 'stun' is named twice",
        "t.yaml:10:20: party.0.gifts.1: gift 'swiftness' is named twice",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.yaml:1:1: the file is empty; an encounter begins with ruleset: the_lens"),
        ("# nothing\n", "t.yaml:1:1: the file is empty; an encounter begins with ruleset: the_lens"),
        ("- a\n- b\n", "t.yaml:1:1: must be a block of fields like 'name: ...', is a list"),
        ("hello\n", "t.yaml:1:1: must be a block of fields like 'name: ...', is a single value"),
        ("a: [1, 2\nb: 3\n", "t.yaml:2:2: not valid YAML: expected ',' or ']', but got ':'"),
        ("a: 1\n\tb: 2\n", "t.yaml:2:1: not valid YAML: found character '\\t' that cannot start any token"),
        ("a: 1\nb: 2\na: 3\n", "t.yaml:3:1: the field a stands in this block twice"),
        ("a: {b: 1, b: 2}\n", "t.yaml:1:11: the field b stands in this block twice"),
        (
            "a: 2024-01-01\n",
            "t.yaml:1:4: a: '2024-01-01' is no text, number, list or block; put it in quotes if it is text",
        ),
        ("a: .nan\n", "t.yaml:1:4: a: 'nan' is no text, number, list or block; put it in quotes if it is text"),
        ("1: a\n", "t.yaml: the field name 1 must be a text; put it in quotes"),
        ("a: b: c\n", "t.yaml:1:5: not valid YAML: mapping values are not allowed here"),
        ("a: \x07\n", "t.yaml:1:4: not valid YAML: special characters are not allowed"),
    ],
)
def test_no_encounter_at_all(text: str, message: str) -> None:
    """YAML that is none, or not ours: one clear line."""
    assert error_of(text) == message


@pytest.mark.parametrize("text", ["a: " + "[" * 3000, "a: " + "[" * 60 + "]" * 60, "a: &a [*a]\n", "a: 1\n---\nb: 2\n"])
def test_strange_files_are_refused_in_one_line(text: str) -> None:
    """Depth, a list inside itself, several documents."""
    message = error_of(text)
    assert message.startswith("t.yaml")
    assert "\n" not in message


def test_aliases_of_aliases_do_not_explode() -> None:
    """Ten times ten times ... lists of nothing are refused before they fill the memory."""
    lines = ["a0: &a0 [x]"] + [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    assert "more than 50,000 values" in error_of("\n".join(lines))


def test_fields_merged_from_another_block_are_read() -> None:
    """YAML's merge keys work; a mistake in one is told at the block that merges it."""
    foes = TEXT.index("foes:")
    text = f"{TEXT[:foes]}{TEXT[foes:]}".replace("- name: Ogre", "- &ogre\n    name: Ogre").replace(
        "vary: {}", "  - {<<: *ogre, name: Twin}\nvary: {}"
    )
    assert Encounter.from_text(text).built.fighters == ("Kara", "Ogre", "Twin")


def test_a_dict_has_no_lines() -> None:
    """The message names the source that the caller gave."""
    data = {**Encounter.from_text(TEXT).data, "max_rounds": 0}
    with pytest.raises(EncounterError, match=r"^<dict>: max_rounds: must be at least 1, got 0$"):
        Encounter.from_dict(data)
    with pytest.raises(EncounterError, match=r"^replay:1: max_rounds"):
        Encounter.from_dict(data, source="replay:1")
    with pytest.raises(EncounterError, match=r"must be a dict of fields, got list"):
        Encounter.from_dict([])  # type: ignore[arg-type]
    with pytest.raises(EncounterError, match=r"the field name 3 must be a text"):
        Encounter.from_dict({3: 4})  # type: ignore[dict-item]


# --- files -------------------------------------------------------------------------------------------------


def test_a_file(tmp_path: Path) -> None:
    """By path, as text or Path, with or without a byte-order mark."""
    path = tmp_path / "mine.yaml"
    path.write_text(TEXT, encoding="utf-8-sig")
    assert load_encounter(str(path)) == load_encounter(path) == Encounter.from_text(TEXT)
    assert load_encounter(path).source == str(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Not there, a folder, not UTF-8: what it is and, if possible, where."""
    path = tmp_path / "latin.yaml"
    path.write_bytes("name: Té\nb: ".encode() + b"\xe9")
    with pytest.raises(EncounterError, match=r"latin\.yaml:2:4: is not UTF-8 text: byte 0xe9 is no character"):
        load_encounter(path)
    with pytest.raises(EncounterError, match="is a folder, not an encounter file"):
        load_encounter(tmp_path)
    with pytest.raises(EncounterError, match=r"no such file, and no encounter of this name; known: .*the_lens/duel,"):
        load_encounter("zzz")
    with pytest.raises(EncounterError, match="is no name of an encounter"):
        load_encounter("")


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("the_lens/ogre_at_the_fjord", "the_lens/ogre_at_the_ford"),
        ("duell", "the_lens/duel"),
        ("the_lense/swarm", "the_lens/swarm"),
        ("ogre_at_the_ford", "the_lens/ogre_at_the_ford"),
    ],
)
def test_near_names(given: str, near: str) -> None:
    """A slip in the name, or a name without its folder."""
    with pytest.raises(EncounterError) as caught:
        load_encounter(given)
    assert near in str(caught.value).partition("did you mean ")[2].rstrip("?").split(" or ")


WARNED = ("lamashtu/clash_against_dodge",)  # a specialist of the CLASH does not need to block


def test_the_encounters_that_come_along() -> None:
    """All load, say what they are about, have no unwanted warnings, and survive being written and read."""
    names = list_encounters()
    assert len([name for name in names if name.startswith("the_lens/")]) >= 9
    for name in names:
        loaded = load_encounter(name)
        assert loaded.model.description, name
        assert loaded.warnings == () or name in WARNED, name
        assert loaded.ruleset is RULESETS[name.split("/")[0]]
        assert Encounter.from_text(loaded.to_yaml()) == loaded


def test_the_encounters_cover_the_rules() -> None:
    """Together they use every item effect, guard, gift, pool, board and switch."""
    data = [load_encounter(name).data for name in list_encounters() if name.startswith("the_lens/")]
    heroes = [hero for one in data for hero in one["party"]]
    foes = [foe for one in data for foe in one["foes"]]
    attacks = [attack for foe in foes for attack in foe["attacks"]]
    assert {item["effect"] for hero in heroes for item in hero.get("items", ())} == {"heal", "harm", "cure", "add_tag"}
    assert {gift for hero in heroes for gift in hero.get("gifts", ())} == {
        "quickness",
        "reflexes",
        "swiftness",
        "speed",
    }
    assert {foe.get("guard") for foe in foes} >= {"shield", "nimble", "parry"}
    assert {attack.get("pool", "body") for attack in attacks} == {"body", "mind", "spirit"}
    assert any(attack.get("magic") for attack in attacks)
    assert any(attack.get("natural") for attack in attacks)
    assert any(foe.get("recovers") for foe in foes)
    assert {one["board"]["kind"] for one in data if isinstance(one.get("board"), dict)} == {"square", "hex"}
    switches = {name for one in data for name in one.get("rules", {})}
    assert switches == {"third_die", "surprised_initiative", "moves_per_turn", "parry", "reactions"}


def test_data_beside_the_package_or_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source checkout has the data beside the package, an installed one inside."""
    package = tmp_path / "lens_env"
    (package / "play").mkdir(parents=True)
    monkeypatch.setattr(encounter, "__file__", str(package / "play" / "encounter.py"))
    assert encounter.config_root() == tmp_path / "configs"
    (package / "configs").mkdir()
    assert encounter.config_root() == package / "configs"


# --- what an encounter is ----------------------------------------------------------------------------------


def test_equal_data_are_equal_encounters() -> None:
    """Layout, comments and source do not count; every value does."""
    one = Encounter.from_text(TEXT)
    other = Encounter.from_text("# a comment\n" + TEXT.replace("board: none", 'board:   "none"'))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Encounter.from_text(edited("max_rounds: 30", "max_rounds: 31"))
    assert one != TEXT


def test_the_digest_is_that_of_the_canonical_json() -> None:
    """Sorted keys, no spaces, ASCII: computed here by hand for a small piece."""
    data = Encounter.from_text(TEXT).data
    assert list(data)[:3] == ["ruleset", "name", "board"]
    weapon = '"weapon":{"name":"sword","quality":"fine","size":"medium","tags":["slashing"]}'
    hero = f'{{"aspects":{{"body":14,"mind":6,"spirit":4}},"gifts":["quickness"],"name":"Kara",{weapon}}}'
    attacks = '[{"dice":3,"name":"club","sides":4}]'
    ratings = f'"abjuration":4,"attack_rating":4,"attacks":{attacks},"body":18,"defense":4,"initiative":4'
    text = (
        f'{{"board":"none","foes":[{{{ratings},"name":"Ogre"}}],"max_rounds":30,"name":"Test","party":[{hero}],'
        '"ruleset":"the_lens","surprise":"none","vary":{}}'
    )
    assert Encounter.from_text(TEXT).digest == hashlib.sha256(text.encode()).hexdigest()


def test_it_cannot_be_changed_from_outside() -> None:
    """Neither through the dict it came from nor through the one it gives."""
    data = Encounter.from_text(TEXT).data
    it = Encounter.from_dict(data)
    data["name"] = it.data["name"] = "Other"
    assert it.data["name"] == "Test"
    with pytest.raises(AttributeError):
        it.source = "x"  # type: ignore[misc]


def test_it_can_be_sent_to_another_process() -> None:
    """Data, source and places travel; the records are built anew."""
    it = Encounter.from_text(TEXT, "t.yaml")
    again = pickle.loads(pickle.dumps(it))
    assert (again, again.source, again.built.actions) == (it, it.source, it.built.actions)


# --- variants ----------------------------------------------------------------------------------------------


def test_with_changes() -> None:
    """Dotted paths into blocks and lists; a block that is missing is made."""
    base = Encounter.from_text(TEXT, "t.yaml")
    it = base.with_changes({"foes.0.body": 20, "rules.parry": "riposte"})
    assert it.data["foes"][0]["body"] == 20
    assert it.built.setup[0]["rules"]["riposte"] == 1
    assert base.data["foes"][0]["body"] == 18
    assert it.source == "t.yaml (foes.0.body=20, rules.parry=riposte)"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("foes.1.body", "'1' is no entry of a list of 1"),
        ("foes.x.body", "'x' is no entry"),
        ("name.x", "there is no block that could have a field 'x'"),
        ("", "there is no block that could have a field ''"),
        ("ruleset", "ruleset: cannot be varied"),
        ("foes.0.bdy", "did you mean body?"),
    ],
)
def test_changes_that_lead_nowhere(path: str, message: str) -> None:
    """The path is checked, and the result like any file."""
    with pytest.raises(EncounterError) as caught:
        Encounter.from_text(TEXT, "t.yaml").with_changes({path: 3})
    assert message in str(caught.value)
    assert str(caught.value).startswith("t.yaml")


def test_the_grid() -> None:
    """Every combination, the last field changing fastest; a variant has no grid of its own."""
    it = Encounter.from_text(edited("vary: {}", "vary: {foes.0.attack_rating: [4, 6], party.0.gifts: [[], [speed]]}"))
    labels, encounters = zip(*it.variants(), strict=True)
    assert [(label["foes.0.attack_rating"], label["party.0.gifts"]) for label in labels] == [
        (4, []),
        (4, ["speed"]),
        (6, []),
        (6, ["speed"]),
    ]
    setups = [one.built.setup[0]["sheets"] for one in encounters]
    assert [int(sheets[1]["attacks"][0]["rating"]) for sheets in setups] == [4, 4, 6, 6]
    assert [int(sheets[0]["momentum"]) for sheets in setups] == [3, 4, 3, 4]
    assert len({one.digest for one in encounters}) == 4
    assert [label for label, _ in encounters[0].variants()] == [{}]


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        ("{foes.0.body: [4, x]}", "t.yaml:19:25: vary.foes.0.body.1: must be a whole number, got 'x'"),
        ("{foes.0.body: []}", "t.yaml:19:21: vary.foes.0.body: must have at least 1 value"),
        (
            "{foes.1.body: [4]}",
            "t.yaml:19:21: vary.foes.1.body: foes.1.body: '1' is no entry of a list of 1 (counted from 0); "
            "did you mean foes.0.body?",
        ),
        ("{foes.0.body: [5, 6, 5]}", "t.yaml:19:28: vary.foes.0.body.2: 5 stands here twice"),
        ("{foes.0.body: 4}", "t.yaml:19:21: vary.foes.0.body: must be a list, got 4"),
        (
            "{name.x: [1]}",
            "t.yaml:19:16: vary.name.x: name.x: there is no block that could have a field 'x'; did you mean name?",
        ),
    ],
)
def test_a_wrong_grid(vary: str, message: str) -> None:
    """Told when the file is loaded, at the place in the grid."""
    assert error_of(edited("vary: {}", f"vary: {vary}")) == message


def test_a_place_of_endless_digits_is_no_place() -> None:
    it, path = Encounter.from_text(TEXT), f"foes.{'9' * 5000}.body"
    with pytest.raises(EncounterError, match="'999999999' is no entry of a list of 1"):
        it.with_changes({path: 4})
    with pytest.raises(EncounterError, match="'999999999' is no entry of a list of 1"):
        Encounter.from_dict({**it.data, "vary": {path: [4]}})


def test_a_misspelt_field_in_the_grid_is_told_once() -> None:
    """Not once for each of its values."""
    message = error_of(edited("vary: {}", "vary: {foes.0.atack_rating: [4, 6, 8]}"))
    assert message.startswith("t.yaml:19:8: vary.foes.0.atack_rating: is no known field; allowed: name, ")
    assert message.endswith("did you mean attack_rating?")
    assert "\n" not in message


def test_a_grid_too_large() -> None:
    """10,000 encounters are enough."""
    values = list(range(1, 102))
    with pytest.raises(EncounterError, match=r"vary: spans 10,201 encounters; at most 10,000"):
        Encounter.from_text(edited("vary: {}", f"vary: {{foes.0.body: {values}, party.0.aspects.body: {values}}}"))


# --- rulesets ----------------------------------------------------------------------------------------------


def test_rulesets_by_name() -> None:
    """A mapping that imports on access; an unknown name lists the known ones."""
    assert "the_lens" in RULESETS
    assert RULESETS["the_lens"].name == "the_lens"
    assert RULESETS.get("chess") is None
    with pytest.raises(UnknownRuleset, match=r"^there is no ruleset 'the_lenses'; known: .*the_lens.*; did you mean"):
        RULESETS["the_lenses"]


def test_a_ruleset_that_is_none() -> None:
    """What an entry point names must be a Ruleset."""
    with pytest.raises(TypeError, match="json:dumps is no Ruleset but a function"):
        Rulesets({"json": "json:dumps"})["json"]


# --- round trips -------------------------------------------------------------------------------------------

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.text(min_size=1), PLAIN, min_size=1, max_size=4))
def test_yaml_round_trip(data: dict[str, Any]) -> None:
    """Whatever plain data are written are read again, the order of fields included."""
    again, _ = yaml_text.read(yaml_text.write(data), "t")
    assert again == data
    assert list(again) == list(data)


@settings(max_examples=60, deadline=None)
@given(
    name=st.text(min_size=1, max_size=40),
    description=st.text(max_size=60),
    body=st.integers(-5, 250),
    tags=st.lists(st.sampled_from(["stun", "heavy", "missile", "bogus"]), max_size=3),
)
def test_an_encounter_is_refused_or_survives(name: str, description: str, body: int, tags: list[str]) -> None:
    """Nothing but EncounterError, and what loads is the same after being written and read."""
    data = Encounter.from_text(TEXT).data
    data["foes"][0] |= {"name": name, "body": body}
    data["foes"][0]["attacks"][0]["tags"] = tags
    data["description"] = description
    try:
        it = Encounter.from_dict(data)
    except EncounterError as error:
        assert str(error).startswith("<dict>: foes.0.")
        return
    assert 1 <= body <= 200
    again = Encounter.from_text(it.to_yaml())
    assert again == it
    assert again.built.setup.tobytes() == it.built.setup.tobytes()
