"""Is the target aware of an attack, where does it come from, and how hard is it to evade (sections 3 and 4)?"""

from __future__ import annotations

from lens_env.core import board as ground
from lens_env.core.kernel import hot, kernel
from lens_env.core.log import emit
from lens_env.core.skirmish import ask

from .codes import AttackKind, Happened, Out, Trait, Window
from .fighters import able, check, fighter, sheet
from .state import Game
from .strikes import aim_of, center_x, center_y, from_center, under_way

NOTICE_BEHIND = 20  # Hard: from behind, or while distracted
NOTICE_SPECTATOR = 15  # Normal, plus its ``hidden``

EVEN = 15  # the evade table
FLYING = 17
SMALL = 20
LARGE = 12
HINDERED = 25

FROM_BEHIND = 5  # what comes off the evade check
FROM_THE_SIDE = 2


@hot
def notice(game: Game) -> None:
    """Direction, awareness, evade difficulty; then the target is asked, whatever is left to it (R-25)."""
    state = game.state
    who = state.target - 1
    state.direction = direction(game)
    state.aware = 1 if is_aware(game, who) else 0
    state.evade = evade_number(game, who) if state.aware == 1 else 0
    if state.aware == 0:
        emit(game.log, Happened.UNAWARE, who, -1, 0, 0, 0)
    ask(game, who, Window.DEFEND)


@kernel
def direction(game: Game) -> int:
    """Front, side or behind (R-05). Without a board as the attack says; of an area, where its centre lies (R-24)."""
    state = game.state
    if not ground.exists(game.setup.board):
        return under_way(game).direction if state.returned == 0 else ground.Side.FRONT
    it = fighter(game, state.target - 1)
    if state.blast > 0 and state.returned == 0 and aim_of(it.x, it.y) != state.blast_aim:
        return seen_from(game, state.target - 1, center_x(game), center_y(game))
    source = fighter(game, state.attacker - 1)
    return seen_from(game, state.target - 1, source.x, source.y)


@hot
def seen_from(game: Game, who: int, x: int, y: int) -> int:
    """Where a space lies for a fighter, by the nearest direction: the own space is in front."""
    board = game.setup.board
    it = fighter(game, who)
    towards = ground.direction_towards(board, it.x, it.y, x, y)
    return ground.side_of(board, it.facing, towards) if towards >= 0 else 0


@hot
def is_aware(game: Game, who: int) -> bool:
    """One Perceive check at the highest difficulty that applies; none for one who cannot act (R-25)."""
    if fighter(game, who).unconscious > 0:
        return False
    difficulty = notice_difficulty(game, who)
    if difficulty == 0:
        return True
    return able(game, who) and check(game, who, Trait.PERCEIVE, difficulty)


@hot
def off_guard(game: Game, who: int) -> bool:
    """From behind, or while distracted (section 3)."""
    return game.state.direction == ground.Side.BEHIND or fighter(game, who).distracted > 0


@hot
def notice_difficulty(game: Game, who: int) -> int:
    """What the Perceive check has to reach, 0 for no check (section 3; R-06)."""
    state = game.state
    difficulty = under_way(game).stealth
    if off_guard(game, who):
        difficulty = max(difficulty, NOTICE_BEHIND)
    if fighter(game, state.attacker - 1).out == Out.SPECTATOR:
        difficulty = max(difficulty, NOTICE_SPECTATOR + sheet(game, state.attacker - 1).hidden)
    return difficulty


@kernel
def at_edge(game: Game) -> bool:
    """Can the target just leave the area? Without a board there is no edge (section 3; R-22)."""
    return ground.exists(game.setup.board) and from_center(game, game.state.target - 1) == under_way(game).radius


@hot
def can_evade(game: Game, who: int) -> bool:
    """Able, on its feet, neither Trapped, Dazed nor Berserk (section 4; R-15); an area only at its edge."""
    it = fighter(game, who)
    if (it.prone | it.trapped | it.dazed | it.berserk) != 0 or not able(game, who):
        return False
    attack = under_way(game)
    return attack.radius == 0 or attack.evadable == 1 or at_edge(game)


@hot
def evade_number(game: Game, who: int) -> int:
    """What d20 + Evade must reach, the modifiers included; 0 if no evasion is possible (R-35)."""
    if not can_evade(game, who):
        return 0
    attack = under_way(game)
    number = attack.evade
    if number == 0:
        number = EVEN if game.setup.rules.simple == 1 else by_table(game, who)
    if attack.kind == AttackKind.PROJECTILE:
        return number + attack.hinders
    if off_guard(game, who):
        number += FROM_BEHIND
    elif game.state.direction == ground.Side.FLANK:
        number += FROM_THE_SIDE
    return number + attack.hinders


@hot
def by_table(game: Game, who: int) -> int:
    """The evade table: the highest row that applies, 15 if none does (R-14)."""
    number = 0
    its = sheet(game, who)
    size = sheet(game, game.state.attacker - 1).bulk
    if 2 * its.bulk >= 3 * size:
        number = LARGE
    if its.flying == 1:
        number = FLYING
    if 2 * its.bulk <= size:
        number = SMALL
    if its.hindered == 1 or fighter(game, who).hindered > 0:
        number = HINDERED
    return EVEN if number == 0 else number
