"""Rules of thumb: the optimal defence as a small decision tree over quantities that a person sees at the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lens_env.core.ruleset import SIDES, called
from lens_env.core.seats import views

from .graph import StateGraph, words_of
from .solve import Values
from .worth import NOTHING, defenses_of

Array = np.ndarray[Any, Any]
DEPTHS = (1, 2, 3, 4)
CHUNK = 4096


@dataclass(frozen=True)
class Rule:
    """A rule of thumb for one side's defence."""

    side: str
    depth: int
    sentences: tuple[str, ...]
    agreement: float  # share of the windows that optimal play meets in which it chooses as well as the optimum
    value: float  # of the game, for the party, if the side defends by it and all else is optimal
    cost: float  # what the side loses by it


def rules_of_thumb(values: Values, depths: tuple[int, ...] = DEPTHS) -> Iterator[Rule]:
    """For each side that has a choice of defences, a rule of every depth, with its exact cost.

    A tree is grown on the windows that offer a choice, each weighted by how often optimal play meets it times what
    the worst choice costs there. A rule that names a defence which is not offered falls back on its next best.
    """
    for side in SIDES:
        if values.policies[SIDES.index(side)] is None and len(defenses_of(values.graph, side)) > 0:
            learner = _Learner(values, side)
            if learner.worth_learning:
                for depth in depths:
                    yield learner.rule(depth)


class _Learner:
    """What there is to learn from for one side."""

    def __init__(self, values: Values, side: str) -> None:
        graph = values.graph
        self.values, self.side, self.graph = values, side, graph
        kinds = defenses_of(graph, side)
        owners = graph.owners
        nothing = np.isin(graph.actions, called(NOTHING, graph.encounter.built.actions))
        offers = np.zeros(len(graph), bool)
        for where in kinds.values():
            offers[owners[where]] = True
        kinds[NOTHING] = nothing & offers[owners]
        self.names = tuple(name for name, where in kinds.items() if where.any())
        self.kind = np.full(len(graph.actions), -1)  # (A,) which defence an action is
        for index, name in enumerate(self.names):
            self.kind[kinds[name]] = index
        self.states = np.flatnonzero(offers)
        self.number = np.full(len(graph), -1)
        self.number[self.states] = np.arange(len(self.states))
        self.inside = np.flatnonzero(offers[owners] & (self.kind >= 0))  # the actions of these windows
        self.rows = self.number[owners[self.inside]]
        most = graph.max_rounds - int(graph.start_rounds.min())
        self.worth = self._table(most)
        visits = sum((part for part in values.visits if len(part)), np.zeros(len(graph)))
        self.visits = visits[self.states]
        best = self.worth.max(axis=1)
        worst = np.where(np.isfinite(self.worth), self.worth, np.inf).min(axis=1)
        self.regret = best[:, None] - self.worth  # inf where it is not offered
        self.weight = self.visits * (best - worst)

    @property
    def worth_learning(self) -> bool:
        """Does the choice ever matter?"""
        return bool(self.weight.sum() > 0)

    def _table(self, left: int) -> Array:
        """(n, D) the value, for the side, of every defence in every window; -inf where it is not offered."""
        worth = self.values.worth(left) * (1 if self.side == "party" else -1)
        table = np.full((len(self.states), len(self.names)), -np.inf)
        np.maximum.at(table, (self.rows, self.kind[self.inside]), worth[self.inside])
        return table

    def rule(self, depth: int) -> Rule:
        """Grow a tree and follow it."""
        from sklearn.tree import DecisionTreeClassifier

        names, features = features_of(self.graph, self.states)
        # of equally good defences the one that is the best most often is learned
        good = self.regret <= 1e-12
        common = (good * self.weight[:, None]).sum(axis=0)
        label = np.where(good, common + 1e-300, -1.0).argmax(axis=1)
        used = self.weight > 0
        tree = DecisionTreeClassifier(max_depth=depth, random_state=0)
        tree.fit(features[used], label[used], sample_weight=self.weight[used])
        chances = np.zeros((len(self.states), len(self.names)))
        chances[:, tree.classes_] = tree.predict_proba(features)
        offered = np.isfinite(self.worth)
        chosen = np.where(offered, chances + 1e-9 * common / max(common.sum(), 1e-300), -1.0).argmax(axis=1)
        agreement = float((self.visits * good[np.arange(len(chosen)), chosen]).sum() / self.visits.sum())
        value = Values(
            self.graph,
            party=self.values.policies[0],
            foes=self.values.policies[1],
            objective=self.values.objective,
            allowed=self.values.allowed,
            bound=self._bound(chosen),
        ).value
        cost = self.values.value - value if self.side == "party" else value - self.values.value
        sentences = tuple(_sentences(tree, names, self.names))
        return Rule(self.side, depth, sentences, agreement, value, max(0.0, cost))

    def _bound(self, chosen: Array) -> tuple[Array, Array]:
        """The states (S,) that the rule decides, and what it does there (A,)."""
        graph = self.graph
        weights = np.zeros(len(graph.actions))
        fits = self.inside[self.kind[self.inside] == chosen[self.rows]]
        # of several actions that are the same defence (whom to guard, say) the first one is taken
        _, first = np.unique(graph.owners[fits], return_index=True)
        weights[fits[first]] = 1.0
        states = np.zeros(len(graph), bool)
        states[self.states] = True
        return states, weights


def features_of(graph: StateGraph, states: Array) -> tuple[list[str], Array]:
    """(names, (n, F)): the points and conditions of all fighters as they are counted, and the attack under way."""
    words = words_of(graph.encounter)
    records = graph.states(states)
    flat = records.view(np.int64).reshape(len(states), -1)
    names, columns = [], []
    for word in graph.layout.varying:
        if "'s " in words[word] and len(np.unique(flat[:, word])) > 1:
            names.append(words[word].replace("_", " "))
            columns.append(flat[:, word].astype(np.float64))
    scene = graph.encounter.ruleset.scene
    seen = _scenes(graph, states)
    for place, what in enumerate(scene):
        if what.name.startswith("attack") and len(np.unique(seen[:, place])) > 1:
            names.append(what.name.replace(".", " "))
            columns.append(seen[:, place].astype(np.float64))
    return names, np.stack(columns, axis=1) if columns else np.zeros((len(states), 1))


def _scenes(graph: StateGraph, states: Array) -> Array:
    """(n, scene) float32: what the deciders see of the skirmish as a whole."""
    ruleset = graph.encounter.ruleset
    slots = max(graph.encounter.built.party_count, len(graph.encounter.built.fighters))
    shape = len(ruleset.scene), len(ruleset.fighter)
    found = np.zeros((len(states), shape[0]), np.float32)
    for first in range(0, len(states), CHUNK):
        part = states[first : first + CHUNK]
        batch = graph.batch(part)
        room = np.zeros((max(2, len(part)), shape[0] + 2 * slots * shape[1]), np.float32)
        viewers = batch.deciders.astype(np.int64)
        rows = (batch.states, batch.dice, batch.setups, batch.which, batch.logs, viewers)
        batch.engine.run("observe_many", *rows, *views(room, *shape))
        found[first : first + CHUNK] = room[: len(part), : shape[0]]
    return found


def _sentences(tree: Any, names: list[str], defenses: tuple[str, ...]) -> Iterator[str]:
    """Each leaf of a tree as a sentence; neighbours that say the same are one."""
    inner = tree.tree_

    def decided(node: int) -> str:
        return defenses[int(tree.classes_[int(inner.value[node][0].argmax())])]

    def leaves(node: int) -> set[str]:
        if inner.children_left[node] < 0:
            return {decided(node)}
        return leaves(inner.children_left[node]) | leaves(inner.children_right[node])

    def walk(node: int, conditions: tuple[str, ...]) -> Iterator[str]:
        said = leaves(node)
        if len(said) == 1:
            yield f"{'if ' + ' and '.join(conditions) if conditions else 'always'}: {said.pop()}"
            return
        name, border = names[inner.feature[node]], float(inner.threshold[node])
        low, high = _bounds(border)
        yield from walk(inner.children_left[node], (*conditions, f"{name} <= {low}"))
        yield from walk(inner.children_right[node], (*conditions, f"{name} {high}"))

    yield from walk(0, ())


def _bounds(border: float) -> tuple[str, str]:
    """How a border reads from below and from above: whole numbers lie half-way, shares do not."""
    if border % 1 == 0.5:
        return f"{int(border - 0.5)}", f">= {int(border + 0.5)}"
    return f"{border:.3g}", f"> {border:.3g}"
