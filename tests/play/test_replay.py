"""Replays: the same skirmish again, or a reason why not."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lens_env import Encounter, Game, Scripted, load_encounter
from lens_env.core import kernel
from lens_env.errors import ReplayError
from lens_env.play.replay import VERSION, load_replay, save_replay


def play(name: str, seed: int, decisions: int = 10_000) -> Game:
    game, choose = Game(load_encounter(name), seed=seed), random.Random(seed)
    while not game.over and decisions:
        game.play(choose.choice(game.legal()))
        decisions -= 1
    return game


@pytest.mark.parametrize(
    "name",
    [
        *("the_lens/duel", "the_lens/ambush", "the_lens/two_against_two", "lamashtu/duel"),
        *("norova/fire_mage", "norova/balcony"),
    ],
)
@pytest.mark.parametrize("decisions", [0, 7, 10_000])
def test_a_replay_reproduces_the_skirmish(tmp_path: Path, name: str, decisions: int) -> None:
    game = play(name, 5, decisions)
    save_replay(game, tmp_path / "game.jsonl")
    again = load_replay(tmp_path / "game.jsonl")
    assert (again.trail, again.moves, again.winner) == (game.trail, game.moves, game.winner)
    assert (again.state == game.state).all()
    assert again.log == game.log


@pytest.fixture
def lines(tmp_path: Path) -> tuple[Path, list[str]]:
    path = tmp_path / "game.jsonl"
    save_replay(play("the_lens/duel", 5), path)
    return path, path.read_text().splitlines()


def refuse(path: Path, lines: list[str], reason: str) -> None:
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ReplayError, match=reason):
        load_replay(path)


def test_a_cut_replay_is_refused(lines: tuple[Path, list[str]]) -> None:
    path, text = lines
    refuse(path, text[:-1], "is cut")
    refuse(path, text[:-3], "is cut")
    refuse(path, [*text[:-1], text[-1][:10]], rf":{len(text)}: is damaged")
    refuse(path, [*text[:4], *text[5:]], "is cut")
    refuse(path, [], "is no lens_env replay")


def changed(line: str, **fields: object) -> str:
    return json.dumps(json.loads(line) | fields)


def test_a_damaged_replay_is_refused(lines: tuple[Path, list[str]]) -> None:
    path, text = lines
    refuse(path, [text[0], text[1], changed(text[2], action="FLY"), *text[3:]], r":3: this step cannot have happened")
    refuse(path, [text[0], changed(text[1], draws=[99]), *text[2:]], r":2: the dice of this step are not those")
    refuse(path, [text[0], changed(text[1], draws="x"), *text[2:]], ":2: a step has an action and a list of draws")
    refuse(path, [text[0], changed(text[1], action="BLOCK"), *text[2:]], "the first step is the opening")
    refuse(path, [*text[:-1], changed(text[-1], trail=1)], "lead to another end")


@pytest.mark.parametrize("draws", [[10**30], [-1], [True], [1.5], None])
def test_draws_are_whole_numbers(lines: tuple[Path, list[str]], draws: object) -> None:
    path, text = lines
    refuse(path, [text[0], changed(text[1], draws=draws), *text[2:]], ":2: a step has an action and a list of draws")


@pytest.mark.parametrize("action", [[1], {}, True, 7, None])
def test_an_action_is_a_name(lines: tuple[Path, list[str]], action: object) -> None:
    path, text = lines
    refuse(path, [*text[:2], changed(text[2], action=action), *text[3:]], ":3: a step has the name of an action")


@pytest.mark.parametrize("fields", [{"over": None}, {"over": 1}, {"winner": "nobody"}, {"winner": []}])
def test_the_last_line_says_how_it_ended(lines: tuple[Path, list[str]], fields: dict[str, object]) -> None:
    path, text = lines
    refuse(path, [*text[:-1], changed(text[-1], **fields)], f":{len(text)}: is damaged: the last line says over")


@pytest.mark.parametrize("field", ["over", "winner"])
def test_the_last_line_is_whole(lines: tuple[Path, list[str]], field: str) -> None:
    path, text = lines
    left = {key: value for key, value in json.loads(text[-1]).items() if key != field}
    refuse(path, [*text[:-1], json.dumps(left)], "is damaged: the last line says over")


@pytest.mark.parametrize("deep", ["[" * 100_000, "[" * 100_000 + "]" * 100_000])
def test_what_is_nested_too_deeply_is_refused(lines: tuple[Path, list[str]], deep: str) -> None:
    path, text = lines
    refuse(path, [text[0], deep, *text[2:]], ":2: is damaged")
    refuse(path, [deep, *text[1:]], ":1: is ")
    header = text[0].replace('"encounter": {', '"encounter": {"x": ' + "[" * 700 + "]" * 700 + ", ")
    refuse(path, [header, *text[1:]], ":1: ")


@pytest.mark.parametrize("field", ["seed", "environment", "episode"])
@pytest.mark.parametrize("value", [-1, 2**70, True, None, "7", 1.5])
def test_the_header_says_where_the_dice_came_from(lines: tuple[Path, list[str]], field: str, value: object) -> None:
    path, text = lines
    refuse(path, [changed(text[0], **{field: value}), *text[1:]], f":1: the header has no {field} from 0 to")


@pytest.mark.parametrize("field", ["seed", "environment", "episode"])
def test_the_dice_are_those_of_the_seed(lines: tuple[Path, list[str]], field: str) -> None:
    path, text = lines
    refuse(path, [changed(text[0], **{field: 6}), *text[1:]], "the dice of this step are not those that its seed rolls")


def test_the_header_says_whether_the_dice_were_sampled(lines: tuple[Path, list[str]]) -> None:
    path, text = lines
    refuse(path, [changed(text[0], sampled=None), *text[1:]], "does not say whether the dice were sampled")


def test_scripted_dice_are_kept(tmp_path: Path) -> None:
    game = Game(load_encounter("the_lens/duel"), dice=Scripted(["TRIUMPH"]))
    save_replay(game, tmp_path / "game.jsonl")
    again = load_replay(tmp_path / "game.jsonl")
    assert (again.state == game.state).all() and not again.sampled
    text = (tmp_path / "game.jsonl").read_text().splitlines()
    refuse(tmp_path / "game.jsonl", [text[0], changed(text[1], draws=[0, 0]), *text[2:]], ":2: the dice of this step")
    refuse(tmp_path / "game.jsonl", [text[0], changed(text[1], draws=[99]), *text[2:]], ":2: this step cannot have")


def test_actions_are_kept_by_the_names_that_all_fighters_share(tmp_path: Path) -> None:
    """What the Ogre calls "a/b" is its second attack; the first is called so for all."""
    duel = load_encounter("the_lens/duel").data
    foe = duel["foes"][0]
    named = {"Ogre": ["a", "a/b"], "Troll": ["b"]}
    duel["foes"] = [
        {**foe, "name": name, "attacks": [{"name": it, "dice": 1, "sides": 4} for it in attacks]}
        for name, attacks in named.items()
    ]
    game = Game(Encounter.from_dict(duel), dice=Scripted(["SUCCESS"])).play("END TURN").play("ATTACK Ada with a")
    save_replay(game, tmp_path / "game.jsonl")
    assert load_replay(tmp_path / "game.jsonl").moves == game.moves


def test_another_skirmish_of_a_batch_is_kept(tmp_path: Path) -> None:
    game = Game(load_encounter("the_lens/duel"), 5, environment=3, episode=2)
    save_replay(game, tmp_path / "game.jsonl")
    assert load_replay(tmp_path / "game.jsonl").trail == game.trail


def test_a_replay_outlives_other_versions_of_what_compiles_it(
    lines: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numba.__version__", "9.9.9")
    kernel.code_digest.cache_clear()
    load_replay(lines[0])


def test_a_foreign_replay_is_refused(lines: tuple[Path, list[str]]) -> None:
    path, text = lines
    refuse(path, [changed(text[0], rules_digest="0" * 16), *text[1:]], "other rules of the_lens")
    refuse(path, [changed(text[0], version=VERSION + 1), *text[1:]], f"version {VERSION + 1}")
    refuse(path, [changed(text[0], format="chess"), *text[1:]], "is no lens_env replay")
    refuse(path, ["# A title", *text[1:]], "game.jsonl:1: is no lens_env replay")
    refuse(path, ["[1]", *text[1:]], "game.jsonl:1: is no lens_env replay")
    refuse(path, [changed(text[0], encounter_digest="0"), *text[1:]], "was changed after the skirmish")
    refuse(path, [changed(text[0], encounter={"ruleset": "chess"}), *text[1:]], "not valid here")


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="cannot be read") as caught:
        load_replay(tmp_path / "nothing.jsonl")
    assert str(caught.value).count("nothing.jsonl") == 1
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ReplayError, match="cannot be read"):
        load_replay(tmp_path / "picture")
