"""lens_env: agents play tabletop-RPG skirmishes, to find out which defence is worth its price.

A whole skirmish:

    from lens_env import Game, load_encounter

    game = Game(load_encounter("the_lens/ogre_at_the_ford"), seed=7)
    while not game.over:
        game.play(game.legal()[0])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens_env.envs.registration import register_all

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .play.encounter import Encounter, load_encounter
    from .play.game import Game, Scripted
    from .rulesets import RULESETS

__all__ = ["RULESETS", "Encounter", "Game", "Scripted", "__version__", "load_encounter"]

register_all()

_HOME = {
    "Encounter": "lens_env.play.encounter",
    "load_encounter": "lens_env.play.encounter",
    "Game": "lens_env.play.game",
    "Scripted": "lens_env.play.game",
    "RULESETS": "lens_env.rulesets",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``import lens_env`` alone loads no compiler."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
