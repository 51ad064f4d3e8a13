"""What an agent is worth exactly: its value against an opponent, what the best response has, and the worst case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agents import Agent, BaseAgent
from experiments.evaluate_losses import MOST_WATCHED, Mean, regret_in_play
from experiments.evaluate_play import is_costly
from lens_env.core.ruleset import SIDES
from lens_env.exact import Policy, Reached, StateGraph, TooManyStates, Values, best_response, policy_of, value_of

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Exact:
    """What an agent is worth to its side, exactly: victory 1, undecided 0.5, defeat 0. None: not computed."""

    optimum: float  # of the best response to the same opponent
    value: float | None = None  # of the agent
    asked: int | None = None  # states that a costly agent was asked about
    lost: Mean | None = None  # instead of the value: the mean of what its actions cost it in play

    @property
    def regret(self) -> float | None:
        """What it loses by not being the best response."""
        if self.lost is not None:
            return self.lost.mean
        return None if self.value is None else self.optimum - self.value

    @property
    def ratio(self) -> float | None:
        """Its value as a share of the optimum; None if that is 0."""
        return None if self.regret is None or self.optimum == 0 else 1 - self.regret / self.optimum


@dataclass(frozen=True)
class Safety:
    """What an agent is worth to its side against whoever plays best against it."""

    states: int
    game: float  # both sides optimal
    worst: float | None = None  # against an exact best response; None: not computed

    @property
    def exploitability(self) -> float | None:
        """What it loses at most, against the value of the game."""
        return None if self.worst is None else self.game - self.worst


class Solver:
    """Finds what is exact about an agent in one encounter.

    ``most_asked``: how many states a costly agent is asked about for each opponent; one that needs more, or that
    draws lots, is watched in play, for at most ``skirmishes``. ``tell``: what is being done. ``notes``: why
    something is missing.
    """

    def __init__(
        self,
        graph: StateGraph,
        agent: Agent,
        side: str,
        *,
        most_asked: int,
        skirmishes: int,
        seed: int,
        tell: Tell,
        threads: int | None = None,
    ) -> None:
        self.graph, self.agent, self.side = graph, agent, side
        self.other = SIDES[1 - SIDES.index(side)]
        self.notes: list[str] = []
        self._most_asked, self._tell, self._threads = most_asked, tell, threads
        self._skirmishes, self._seed = min(skirmishes, MOST_WATCHED), seed
        self._policy = None if is_costly(agent) else policy_of(graph, agent, side, _teller(agent.name, tell))

    def safety(self) -> Safety:
        """The value of the game, and what the agent is worth against whoever plays best against it."""
        self._tell("solving the game")
        game = Values(self.graph, threads=self._threads)
        if self._policy is None:
            self.notes.append(f"no worst case: {self.agent.name} is too slow to be asked about every state")
            return Safety(len(self.graph), self._worth(game))
        self._tell(f"the best response to {self.agent.name}")
        worst = best_response(self.graph, self.other, self._policy, threads=self._threads)
        return Safety(len(self.graph), self._worth(game), self._worth(worst))

    def exact(self, opponent: Agent) -> Exact | None:
        """What the agent is worth against this opponent; None if the opponent is too slow to be asked."""
        if is_costly(opponent):
            self.notes.append(f"nothing exact against {opponent.name}: it is too slow to be asked about every state")
            return None
        theirs = policy_of(self.graph, opponent, self.other, _teller(opponent.name, self._tell))
        self._tell(f"the best response to {opponent.name}")
        best = best_response(self.graph, self.side, theirs, threads=self._threads)
        optimum = self._worth(best)
        if is_costly(self.agent) and draws_lots(self.agent):
            return self._watched(opponent, best)
        try:
            own, asked = self._asked(theirs)
        except TooManyStates as error:
            self._note(f"against {opponent.name} {error} (--ask): its regret is that of the skirmishes it played")
            return self._watched(opponent, best)
        policies = {self.side: own, self.other: theirs}
        value = self._worth(value_of(self.graph, policies["party"], policies["foes"], threads=self._threads))
        return Exact(optimum, value, asked)

    def _watched(self, opponent: Agent, best: Values) -> Exact:
        """The regret of the agent in play."""
        if self._skirmishes < 2:
            self._note("no regret from less than two skirmishes (--skirmishes)")
            return Exact(self._worth(best))
        side = SIDES.index(self.side)
        agents = (self.agent, opponent) if side == 0 else (opponent, self.agent)
        teller = _teller(self.agent.name, self._tell, f" of {self._skirmishes} skirmishes", "watched in")
        encounter = self.graph.encounter
        lost = regret_in_play(encounter, best, side, agents, self._seed, self._skirmishes, teller)
        return Exact(self._worth(best), lost=lost)

    def _asked(self, theirs: Policy) -> tuple[Policy, int | None]:
        """The policy of the agent, and about how many states it was asked if it is costly."""
        if self._policy is not None:
            return self._policy, None
        own = Reached(
            self.graph,
            self.agent,
            self.side,
            theirs,
            most=self._most_asked,
            progress=_teller(self.agent.name, self._tell, f" of at most {self._most_asked:,} states"),
        )
        return own, own.asked

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _worth(self, values: Values) -> float:
        """A value for the party, as one for the agent's side."""
        return values.value if self.side == SIDES[0] else 1 - values.value


def draws_lots(agent: Agent) -> bool:
    """Does an agent only say what it plays, and not with which chances?"""
    return isinstance(agent, BaseAgent) and not any(
        getattr(type(agent), name) is not getattr(BaseAgent, name) for name in ("candidates", "chances")
    )


def _teller(name: str, tell: Tell, most: str = " states", what: str = "asked in") -> Callable[[int], None]:
    done = 0

    def more(count: int) -> None:
        nonlocal done
        done += count
        tell(f"{name} {what} {done:,}{most}")

    return more
