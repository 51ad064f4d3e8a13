"""Replays: the same skirmish again, or a reason why not."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lens_env import Game, load_encounter
from lens_env.errors import ReplayError
from lens_env.play.replay import load_replay, save_replay


def play(name: str, seed: int, decisions: int = 10_000) -> Game:
    game, choose = Game(load_encounter(name), seed=seed), random.Random(seed)
    while not game.over and decisions:
        game.play(choose.choice(game.legal()))
        decisions -= 1
    return game


@pytest.mark.parametrize("name", ["the_lens/duel", "the_lens/ambush", "the_lens/two_against_two"])
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
    refuse(path, [text[0], changed(text[1], draws=[99]), *text[2:]], r":2: this step cannot have happened")
    refuse(path, [text[0], changed(text[1], draws="x"), *text[2:]], ":2: a step has an action and a list of draws")
    refuse(path, [text[0], changed(text[1], action="BLOCK"), *text[2:]], "the first step is the opening")
    refuse(path, [*text[:-1], changed(text[-1], trail=1)], "lead to another end")


def test_a_foreign_replay_is_refused(lines: tuple[Path, list[str]]) -> None:
    path, text = lines
    refuse(path, [changed(text[0], rules_digest="0" * 16), *text[1:]], "other rules of the_lens")
    refuse(path, [changed(text[0], version=2), *text[1:]], "version 2")
    refuse(path, [changed(text[0], format="chess"), *text[1:]], "is no lens_env replay")
    refuse(path, [changed(text[0], encounter_digest="0"), *text[1:]], "was changed after the skirmish")
    refuse(path, [changed(text[0], encounter={"ruleset": "chess"}), *text[1:]], "not valid here")
    refuse(path, [changed(text[0], seed=None), *text[1:]], "has no seed")


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match="cannot be read"):
        load_replay(tmp_path / "nothing.jsonl")
    (tmp_path / "picture").write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ReplayError, match="cannot be read"):
        load_replay(tmp_path / "picture")
