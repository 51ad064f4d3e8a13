"""Legends of Nor'Ova: the Defensive Turn, where awareness and facing decide which defences exist."""

from __future__ import annotations

from lens_env.core.ruleset import Ruleset, names_of

from . import catalogue, rules
from .build import build
from .codes import Window
from .depict import depict
from .names import DEFENSES
from .observe import FIGHTER, SCENE
from .sheets import NorOvaEncounter
from .state import MASK_WORDS, Setup, State
from .text import describe, dice_outcome, summary

RULESET = Ruleset(
    name="norova",
    title="Legends of Nor'Ova",
    env_id="lens_env/NorOva-v0",
    rules=rules,
    state=State,
    setup=Setup,
    size=catalogue.SIZE,
    words=MASK_WORDS,
    windows=names_of(list(Window)),
    defense_windows=("DEFEND",),
    defenses=DEFENSES,
    model=NorOvaEncounter,
    build=build,
    describe=describe,
    summary=summary,
    depict=depict,
    dice_outcome=dice_outcome,
    scene=SCENE,
    fighter=FIGHTER,
    points=("vitality", "power", "soul", "xp"),
)
