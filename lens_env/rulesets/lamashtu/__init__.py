"""Legacy of Lamashtu: Poise as the thing at stake, BLOCK, DODGE or CLASH as the choice."""

from __future__ import annotations

from lens_env.core.ruleset import Ruleset, names_of

from . import catalogue, rules
from .build import build
from .codes import Defense, Window
from .depict import depict
from .observe import FIGHTER, SCENE
from .sheets import LamashtuEncounter
from .state import MASK_WORDS, Setup, State
from .text import describe, dice_outcome, summary

RULESET = Ruleset(
    name="lamashtu",
    title="Legacy of Lamashtu",
    env_id="lens_env/Lamashtu-v0",
    rules=rules,
    state=State,
    setup=Setup,
    size=catalogue.SIZE,
    words=MASK_WORDS,
    windows=names_of(list(Window)),
    defense_windows=("DEFEND",),
    defenses=names_of(list(Defense)),
    model=LamashtuEncounter,
    build=build,
    describe=describe,
    summary=summary,
    depict=depict,
    dice_outcome=dice_outcome,
    scene=SCENE,
    fighter=FIGHTER,
    points=("health", "poise", "points", "banked"),
)
