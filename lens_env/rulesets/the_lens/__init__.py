"""The Lens: Momentum, and a choice of six defences against every attack."""

from __future__ import annotations

from lens_env.core.ruleset import Ruleset, names_of

from . import catalogue, rules
from .build import build
from .codes import Defense, Window
from .depict import depict
from .observe import FIGHTER, SCENE
from .sheets import TheLensEncounter
from .state import MASK_WORDS, Setup, State
from .text import describe, dice_outcome, summary

RULESET = Ruleset(
    name="the_lens",
    title="The Lens",
    env_id="lens_env/TheLens-v0",
    rules=rules,
    state=State,
    setup=Setup,
    size=catalogue.SIZE,
    words=MASK_WORDS,
    windows=names_of(list(Window)),
    defense_windows=("DEFEND",),
    defenses=names_of(list(Defense)),
    model=TheLensEncounter,
    build=build,
    describe=describe,
    summary=summary,
    depict=depict,
    dice_outcome=dice_outcome,
    scene=SCENE,
    fighter=FIGHTER,
    points=("body", "momentum", "mind", "spirit"),
)
