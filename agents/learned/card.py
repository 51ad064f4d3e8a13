"""A saved policy is a folder; its card says what it was trained for and where it may be played.

``card.json`` (this module), ``weights.npz`` (the layers that decide, plain arrays), ``sb3.zip`` (the archive of
stable-baselines3, only to train on) and, once exported, ``policy.onnx``.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lens_env import RULESETS, Encounter
from lens_env.envs.observe import Layout
from lens_env.errors import LensError
from lens_env.play.engine import engine_of

FORMAT = 1
CARD, WEIGHTS, ARCHIVE, ONNX = "card.json", "weights.npz", "sb3.zip", "policy.onnx"
KINDS: dict[str, type] = {
    "format": int,
    "ruleset": str,
    "ruleset_digest": str,
    "side": str,
    "slots": int,
    "encounters": list,
    "observation_names": list,
    "actions": int,
    "activation": str,
}
Card = dict[str, Any]


def slots_of(encounters: Sequence[Encounter]) -> int:
    """How many fighters a side has at most."""
    return max(max(e.built.party_count, len(e.built.fighters) - e.built.party_count) for e in encounters)


def describe(encounters: Sequence[Encounter], side: str, activation: str) -> Card:
    """The part of a card that decides where a policy may be played."""
    rules = encounters[0].ruleset
    slots = slots_of(encounters)
    return {
        "format": FORMAT,
        "ruleset": rules.name,
        "ruleset_digest": engine_of(rules.name).digest,
        "side": side,
        "slots": slots,
        "encounters": [
            {"name": e.name, "source": e.source, "digest": e.digest, "actions": list(e.built.actions)}
            for e in encounters
        ],
        "observation_names": list(Layout(rules, slots).names),
        "actions": rules.size,
        "activation": activation,
    }


def read_card(folder: Path) -> Card:
    """The card of a saved policy. LensError names what is wrong with it, or that this version plays other rules."""
    path = folder / CARD
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LensError(f"{path}: no saved policy: {error.strerror or error}") from None
    except ValueError as error:
        raise LensError(f"{path}: is no JSON text: {error}") from None
    if not isinstance(card, dict):
        raise LensError(f"{path}: must be a block of fields")
    for name, kind in KINDS.items():
        if not isinstance(card.get(name), kind):
            raise LensError(f"{path}: {name}: is missing or of another kind")
    _check(path, card)
    return card


def _check(path: Path, card: Card) -> None:
    if card["format"] != FORMAT:
        raise LensError(f"{path}: format: this version reads {FORMAT}, got {card['format']}")
    if card["ruleset"] not in RULESETS:
        raise LensError(f"{path}: ruleset: there is no {card['ruleset']!r}; known: {', '.join(sorted(RULESETS))}")
    rules = RULESETS[card["ruleset"]]
    now = engine_of(rules.name).digest
    if card["ruleset_digest"] != now:
        raise LensError(
            f"{path}: ruleset_digest: trained with {rules.name} {card['ruleset_digest']}, this version plays {now}; "
            "train it anew"
        )
    if card["slots"] < 1 or tuple(card["observation_names"]) != Layout(rules, card["slots"]).names:
        raise LensError(f"{path}: observation_names: not what an observation of {rules.name} holds now")
    if card["actions"] != rules.size:
        raise LensError(f"{path}: actions: {rules.name} has {rules.size}, the policy {card['actions']}")


def check_encounters(name: str, card: Card, encounters: Sequence[Encounter]) -> None:
    """LensError for an encounter that a policy was not trained to play."""
    known = [one["actions"] for one in card["encounters"]]
    for encounter in encounters:
        if encounter.ruleset.name != card["ruleset"]:
            raise LensError(
                f"agent {name}: {encounter.name}: is played by {encounter.ruleset.name}, the policy was trained with "
                f"{card['ruleset']}"
            )
        if slots_of([encounter]) > card["slots"] or list(encounter.built.actions) not in known:
            trained = ", ".join(dict.fromkeys(one["name"] for one in card["encounters"]))
            raise LensError(
                f"agent {name}: {encounter.name}: has other fighters or actions than what the policy was trained in: "
                f"{trained}"
            )


def write_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """Make a folder that is there whole or not at all; LensError says why not. One of this name is replaced."""
    beside = folder.with_name(f".{folder.name}.part")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir(parents=True)
        fill(beside)
        for path in (*beside.iterdir(), beside):
            _to_disk(path)
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(beside, folder)
        _to_disk(folder.parent)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise LensError(f"{folder}: cannot be written: {error.strerror or error}") from None


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
