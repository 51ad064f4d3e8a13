"""After a successful defence: Criticals are cashed, then DODGE moves and CLASH strikes at Poise (section 5)."""

from __future__ import annotations

from typing import Any

from lens_env.core import board as ground
from lens_env.core.bits import has
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.mask import allow
from lens_env.core.skirmish import ask, free_ways

from . import catalogue, movement
from .codes import Cash, Defense, Happened, Stage, Window
from .defenses import match
from .fighters import fighter, gain_poise, lose_poise, sheet, unbalance
from .state import Game


@kernel
def buyable(game: Game, who: int) -> int:
    """Bits of what a Critical may be given up for: in the order of the kinds, never back, and only what helps."""
    state = game.state
    if state.criticals == 0:
        return 0
    it = fighter(game, who)
    bits = 0
    if state.buying <= Cash.POISE and it.poise < sheet(game, who).poise:
        bits |= 1 << Cash.POISE
    if state.buying <= Cash.AP and it.banked < game.setup.rules.most_banked:
        bits |= 1 << Cash.AP
    if state.defense == Defense.DODGE and ground.exists(game.setup.board) and free_ways(game, who) != 0:
        bits |= 1 << Cash.SPACE
    return bits


@hot
def ask_cash(game: Game) -> None:
    """One decision for each Critical, as long as one can be given up for something (R-11)."""
    who = game.state.target - 1
    if buyable(game, who) != 0:
        ask(game, who, Window.CASH)
    else:
        game.state.stage = Stage.SETTLE


@hot
def legal_cash(game: Game, who: int, mask: Any) -> None:
    """The window CASH."""
    bits = buyable(game, who)
    for kind in range(Cash.SPACE + 1):
        if has(bits, kind):
            allow(mask, catalogue.CASH + kind)
    allow(mask, catalogue.DONE)


@kernel
def cash(game: Game, who: int, kind: int) -> None:
    """A Critical is given up: one success less, and what it buys (R-11)."""
    state = game.state
    state.criticals -= 1
    state.margin -= 1
    state.buying = kind
    if kind == Cash.POISE:
        gain_poise(game, who, 1)
    elif kind == Cash.AP:
        fighter(game, who).banked += 1
        emit(game.log, Happened.BANKS, who, -1, 0, fighter(game, who).banked, 0)
    else:
        state.spaces += 1
        emit(game.log, Happened.BUYS_SPACE, who, -1, 0, 0, 0)


@kernel
def settle(game: Game) -> None:
    """After DONE: BLOCK has stopped the attack (R-09), DODGE may move, CLASH costs the attacker Poise."""
    state = game.state
    who = state.target - 1
    spaces = state.spaces
    matched = state.margin == 0
    payable = game.setup.rules.effect_costs == 0 or (state.criticals > 0 and state.margin > 1)
    end_cashing(game)
    if state.defense == Defense.DODGE:
        movement.begin_sidestep(game, who, 1 + spaces, 0)
    elif state.defense == Defense.CLASH:
        if matched:
            match(game, who)
        else:
            win_clash(game, who, payable)


@hot
def end_cashing(game: Game) -> None:
    """What could be given up matters no more, so that equal positions are equal bytes."""
    state = game.state
    state.stage = Stage.EXCHANGE_END
    state.margin = 0
    state.criticals = 0
    state.buying = 0
    state.spaces = 0


@kernel
def win_clash(game: Game, who: int, payable: bool) -> None:
    """The attacker loses 1 Poise; the defender may impose the negative effect, if it can pay for it (R-12, R-20)."""
    lose_poise(game, game.state.attacker - 1)
    if payable:
        ask(game, who, Window.IMPOSE)


@kernel
def impose(game: Game, who: int) -> None:
    """The attacker becomes Off-Balance and is pushed (R-12); a Critical that pays for it serves nothing else."""
    attacker = game.state.attacker - 1
    emit(game.log, Happened.IMPOSES, who, attacker, 0, 0, 0)
    unbalance(game, attacker)
    movement.begin_push(game, attacker, who)
