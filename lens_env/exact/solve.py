"""Exact values: backward induction over the rounds that are left, for optimal or given play of either side.

Every number is a value of the real game with its ``max_rounds``, not of an endless one: ``V[k]`` holds the value of
each state with k more rounds to begin; where a round would begin after the last, the skirmish is undecided.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from lens_env.core.ruleset import SIDES
from lens_env.errors import LensError, SolveError

from .graph import StateGraph, free_loops, run, threads_of
from .order import Role

Array = np.ndarray[Any, Any]

OBJECTIVES = ("win", "harm")
PARTY, FOES = 0, 1
MOST_BYTES = 4 << 30  # of values that are kept
TOLERANCE = 1e-9  # of the sum of a policy's chances


class Policy(Protocol):
    """What a side does: the chance of every action."""

    def weights(self, left: int) -> Array:
        """(A,) float64 with ``left`` more rounds to begin: sums to 1 over the actions of each of its states."""
        ...

    def on(self, graph: StateGraph) -> Policy:
        """The same policy in another graph. SolveError if it is not known there."""
        ...


class Fixed:
    """A policy that does not look at the round."""

    def __init__(self, weights: Array, again: Callable[[StateGraph], Policy] | None = None) -> None:
        """``weights`` (A,): as :meth:`Policy.weights`; ``again`` makes the policy for another graph."""
        self._weights, self._again = weights, again

    def weights(self, left: int) -> Array:
        """(A,) float64, whatever is left."""
        return self._weights

    def on(self, graph: StateGraph) -> Policy:
        """The same policy in another graph. SolveError if it has none."""
        if self._again is None:
            raise SolveError("what is only known as chances in one graph says nothing in another one")
        return self._again(graph)


class Values:
    """The value of every state, by the rounds left: what both sides' play is worth to the party.

    ``objective`` "win": 1 victory of the party, 0.5 undecided, 0 defeat. "harm": the health that the party has left
    less that of the foes, as shares of all (-1..1), at the end; if undecided, as it stands at the first decision
    after the last round would have ended.
    """

    def __init__(
        self,
        graph: StateGraph,
        *,
        party: Policy | None = None,
        foes: Policy | None = None,
        objective: str = "win",
        allowed: Array | None = None,
        threads: int | None = None,
    ) -> None:
        """A side without a policy plays optimally.

        ``allowed`` (A,) uint8: 0 for actions that are taken away from a side that has none; where nothing would be
        left, everything is. ``threads``: from 1; default: one for each core, up to 8.
        """
        if objective not in OBJECTIVES:
            raise LensError(f"objective: allowed are {', '.join(OBJECTIVES)}, got {objective!r}")
        self.graph, self.objective = graph, objective
        self.policies = party, foes
        self.allowed = np.ones(len(graph.actions), np.uint8) if allowed is None else _never_the_last(graph, allowed)
        self.threads = threads_of(threads)
        self.roles = self._roles()
        # the rows of values follow each other so that each, with the one behind it, is what a sweep works on
        self._most = min(graph.most_left, max(1, MOST_BYTES // (8 * len(graph)) - 2))
        self._rows = np.empty((self._most + 2) * len(graph))
        self.settled = 0  # rounds left, from which on the values stay what they are
        self._induce()

    def again(self, **changes: Any) -> Values:
        """The same game solved anew, but for these arguments."""
        party, foes = self.policies
        kept = {"party": party, "foes": foes, "objective": self.objective, "allowed": self.allowed}
        return Values(self.graph, **{**kept, "threads": self.threads, **changes})

    # --- what comes out ------------------------------------------------------------------------------------

    @property
    def value(self) -> float:
        """The value of the encounter, over the dice of its opening."""
        graph = self.graph
        return float(
            sum(
                chance * self.at(graph.max_rounds - int(game_round))[state]
                for state, chance, game_round in zip(graph.starts, graph.start_chances, graph.start_rounds, strict=True)
            )
        )

    def at(self, left: int) -> Array:
        """(S,) the values with ``left`` more rounds to begin."""
        return self._with_next(left)[: len(self.graph)]

    def _with_next(self, left: int) -> Array:
        """(2 S,) the values with ``left`` more rounds, then those with one less."""
        row = self._most - min(left, self.settled)
        return self._rows[row * len(self.graph) : (row + 2) * len(self.graph)]

    def action_values(self, left: int) -> Array:
        """(A,) the value, to the party, of every action with ``left`` more rounds to begin."""
        graph = self.graph
        out = np.zeros(len(graph.actions))
        run(free_loops()["action_values"], *outcomes_of(graph), self._with_next(left), out)
        return out

    def regrets(self, left: int) -> Array:
        """(A,) what every action costs its side, 0 for the best that is allowed; inf where it is not."""
        graph = self.graph
        out = np.zeros(len(graph.actions))
        run(free_loops()["regrets"], *outcomes_of(graph), self.allowed, graph.sides, self._with_next(left), out)
        return out

    def choice(self, left: int) -> Array:
        """(S,) the place of the best action among those of its state; of equals the first."""
        found = np.zeros(len(self.graph), np.int16)
        rows = (self.graph.first_action, self.allowed, self.roles, self.action_values(left), found)
        run(free_loops()["choose"], *rows)
        return found

    def weights(self, left: int) -> Array:
        """(A,) what both sides do, as chances of actions."""
        weights = self._given(left)
        best = self.roles <= Role.LEAST
        weights[self.graph.first_action[:-1][best] + self.choice(left)[best]] = 1.0
        return weights

    @cached_property
    def visits(self) -> list[Array]:
        """By rounds left, (S,): how often each state is expected to be met; empty if none can be."""
        graph = self.graph
        found = [np.zeros(0)] * (graph.most_left + 1)
        mass = np.zeros(2 * len(graph))
        for left in range(graph.most_left, -1, -1):
            mass[: len(graph)] = mass[len(graph) :]
            mass[len(graph) :] = 0.0
            begins = graph.max_rounds - graph.start_rounds == left
            np.add.at(mass, graph.starts[begins], graph.start_chances[begins])
            if not mass[: len(graph)].any():
                continue
            if 8 * len(graph) * (graph.most_left - left + 1) > MOST_BYTES:
                raise SolveError(f"{graph.encounter.name}: how often its states are met does not fit into memory")
            run(free_loops()["flow"], *outcomes_of(graph), self.weights(left), mass)
            found[left] = mass[: len(graph)].copy()
        return found

    @cached_property
    def met(self) -> dict[int, Array]:
        """By rounds left, (S,): how often each state is met; rounds with the same values are one, the last of them."""
        found: dict[int, Array] = {}
        for left, visits in enumerate(self.visits):
            if len(visits):
                known = min(left, self.settled)
                found[known] = found[known] + visits if known in found else visits
        return found

    def ending(self) -> tuple[float, float, float]:
        """The probabilities that the party wins, that it ends undecided, and that the foes win."""
        shares = np.zeros(4)
        for visits in self.visits:
            if len(visits):
                shares += np.bincount(self.graph.winners, visits, 4)
        return float(shares[1]), float(max(0.0, 1 - shares[1] - shares[2])), float(shares[2])

    # --- inside --------------------------------------------------------------------------------------------

    def _roles(self) -> Array:
        graph = self.graph
        roles = np.full(len(graph), int(Role.END), np.int8)
        for side, best in ((PARTY, Role.MOST), (FOES, Role.LEAST)):
            roles[graph.sides == side] = Role.MEAN if self.policies[side] is not None else best
        roles[np.diff(graph.first_action) == 0] = Role.END
        return roles

    @property
    def undecided(self) -> Array:
        """(S,) what a state is worth if the round that brought it must not begin."""
        if self.objective == "win":
            return np.full(len(self.graph), 0.5)
        return self.graph.leads(np.arange(len(self.graph)))

    @property
    def ends(self) -> Array:
        """(S,) the values of states at which it is over, 0 elsewhere."""
        graph = self.graph
        ends = np.zeros(len(graph))
        over = np.flatnonzero(graph.winners != 0)
        if self.objective == "harm":
            ends[over] = graph.leads(over)
        else:
            ends[over] = np.array([0.0, 1.0, 0.0, 0.5])[graph.winners[over]]
        return ends

    def _induce(self) -> None:
        graph, size = self.graph, len(self.graph)
        ends = self.ends
        stationary = all(policy is None or isinstance(policy, Fixed) for policy in self.policies)
        weights = np.zeros(len(graph.actions))
        self._rows[-size:] = self.undecided
        for left in range(graph.most_left + 1):
            if left > self._most:
                raise SolveError(f"{graph.encounter.name}: its values over {left:,} rounds do not fit into memory")
            self.settled = left
            if left == 0 or not stationary:
                weights = self._given(left)
            values = self._with_next(left)
            values[:size] = ends
            rows = (*outcomes_of(graph), self.allowed, self.roles, weights, values)
            run(free_loops()["sweep"], graph.level_ends, self.threads, *rows)
            if stationary and left > 0 and np.array_equal(values[:size], values[size:]):
                break  # and so it stays, whatever is left

    def _given(self, left: int) -> Array:
        """(A,) the policies that are given."""
        graph = self.graph
        weights = np.zeros(len(graph.actions))
        for side in (PARTY, FOES):
            policy = self.policies[side]
            if policy is not None:
                mine = graph.sides[graph.owners] == side
                weights[mine] = policy.weights(left)[mine]
                asked = (graph.sides == side) & (np.diff(graph.first_action) > 0)
                sums = np.bincount(graph.owners, weights, len(graph))[asked]
                if not (np.abs(sums - 1.0) < TOLERANCE).all():
                    raise SolveError(f"the policy of the {SIDES[side]}: its chances do not sum to 1 in every state")
        return weights


def outcomes_of(graph: StateGraph) -> tuple[Array, Array, Array, Array]:
    """``first_action``, ``first_outcome``, ``targets`` and ``chances``, as the loops take them."""
    return graph.first_action, graph.first_outcome, graph.targets, graph.chances


def _never_the_last(graph: StateGraph, allowed: Array) -> Array:
    """(A,) uint8: the same, but where nothing would be left, everything is."""
    allowed = np.asarray(allowed, np.uint8)
    counts = np.bincount(graph.owners, allowed, len(graph))
    found: Array = np.where(counts[graph.owners] == 0, np.uint8(1), allowed)
    return found


def best_response(graph: StateGraph, side: str, other: Policy, **settings: Any) -> Values:
    """The best that ``side`` ("party" or "foes") can do against a policy of the other side."""
    check_side(side)
    return Values(graph, foes=other, **settings) if side == "party" else Values(graph, party=other, **settings)


def exploitability(graph: StateGraph, side: str, policy: Policy, game: Values | None = None) -> float:
    """What a side loses at most by a policy: the game's value less its value against an exact best response.

    ``game``: the solved game, if it is there; the response is to the same objective, with the same actions allowed.
    """
    check_side(side)
    game = game or Values(graph)
    worst = game.again(party=policy, foes=None) if side == "party" else game.again(party=None, foes=policy)
    return game.value - worst.value if side == "party" else worst.value - game.value


def check_side(side: str) -> None:
    """LensError if there is no such side."""
    if side not in SIDES:
        raise LensError(f"side: allowed are {', '.join(SIDES)}, got {side!r}")
