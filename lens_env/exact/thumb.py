"""Rules of thumb: the optimal defence as a small decision tree over quantities that a person sees at the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lens_env.core.ruleset import SIDES, called
from lens_env.core.seats import views

from .graph import StateGraph, words_of
from .solve import Values
from .worth import EQUAL, NOTHING, defenses_of

Array = np.ndarray[Any, Any]
DEPTHS = (1, 2, 3, 4)
CHUNK = 4096
SCENE = ("attack", "own")  # parts of the scene that are told of in rules


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
        if values.policies[SIDES.index(side)] is None and len(defenses_of(values, side)) > 0:
            learner = _Learner(values, side)
            if learner.worth_learning:
                for depth in depths:
                    yield learner.rule(depth)


class Tree(NamedTuple):
    """A decision tree, as far as following it needs one."""

    nodes: Any  # scikit-learn's
    liking: Array  # (nodes, D) how much a node is for each defence
    leaf: Array  # (n,) the leaf of every window


class Quantity(NamedTuple):
    """Something that a person sees at the table."""

    name: str
    least: float
    most: float
    whole: bool  # it takes whole numbers only

    def said(self, above: float, until: float) -> str:
        """That it is larger than ``above`` and not larger than ``until``; infinite where there is no border."""
        if not self.whole:
            parts = [f"> {above:.3g}"] * bool(np.isfinite(above)) + [f"<= {until:.3g}"] * bool(np.isfinite(until))
            return f"{self.name} {' and '.join(parts)}"
        low = int(max(self.least, np.floor(above) + 1 if np.isfinite(above) else self.least))
        high = int(min(self.most, np.floor(until) if np.isfinite(until) else self.most))
        if low == high:
            return f"{self.name} = {low}"
        if low == self.least:
            return f"{self.name} <= {high}"
        return f"{self.name} >= {low}" if high == self.most else f"{self.name} = {low} to {high}"


class _Learner:
    """What there is to learn from for one side: n windows, D defences."""

    def __init__(self, values: Values, side: str) -> None:
        graph = values.graph
        self.values, self.side, self.graph = values, side, graph
        kinds = {name: where for name, where in defenses_of(values, side).items() if where.any()}
        owners = graph.owners
        nothing = np.isin(graph.actions, called(NOTHING, graph.encounter.built.actions)) & (values.allowed != 0)
        self.offers = np.zeros(len(graph), bool)
        for where in kinds.values():
            self.offers[owners[where]] = True
        kinds[NOTHING] = nothing & self.offers[owners]
        self.names = tuple(name for name, where in kinds.items() if where.any())
        self.kind = np.full(len(graph.actions), -1)  # (A,) which defence an action is
        for index, name in enumerate(self.names):
            self.kind[kinds[name]] = index
        self.states = np.flatnonzero(self.offers)
        self.number = np.full(len(graph), -1)
        self.number[self.states] = np.arange(len(self.states))
        self.inside = np.flatnonzero(self.kind >= 0)  # the actions of these windows
        self.cells = self.number[owners[self.inside]] * len(self.names) + self.kind[self.inside]
        self.offered = np.isfinite(self._regrets(0))  # (n, D)
        self.good: list[tuple[Array, Array]] = []  # by rounds left: (n,) how often met, (n, D) bool: nothing is better
        self.visits, self.costs = self._expected()
        # a window matters as much as its worst choice costs, as often as it is met
        self.weight = np.where(self.offered, self.costs, 0.0).max(axis=1)
        self.best = np.where(self.offered, self.costs, np.inf)
        self.quantities, self.features = features_of(graph, self.states)

    @property
    def worth_learning(self) -> bool:
        """Does the choice ever matter?"""
        return bool((self.weight > EQUAL).any())

    def _regrets(self, left: int) -> Array:
        """(n, D) what every defence costs in every window; inf where it is not offered."""
        table = np.full(len(self.states) * len(self.names), np.inf)
        np.minimum.at(table, self.cells, self.values.regrets(left)[self.inside])
        return table.reshape(len(self.states), len(self.names))

    def _expected(self) -> tuple[Array, Array]:
        """(n,) how often a window is met, and (n, D) what a defence costs in it, summed over these times."""
        visits, costs = np.zeros(len(self.states)), np.zeros((len(self.states), len(self.names)))
        for left, met in self.values.met.items():
            part, regrets = met[self.states], self._regrets(left)
            self.good.append((part, regrets <= EQUAL))
            visits += part
            costs += part[:, None] * np.where(self.offered, regrets, 0.0)
        return visits, costs

    def rule(self, depth: int) -> Rule:
        """Grow trees and follow the one that costs less."""
        rules = [self._followed(tree, depth) for tree in self._trees(depth)]
        return min(rules, key=lambda rule: (rule.cost, len(rule.sentences)))

    def _trees(self, depth: int) -> Iterator[Tree]:
        """One that learns which defence is the best, and one that learns what each of them costs."""
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        used = self.weight > EQUAL
        label = self.best.argmin(axis=1)
        sorts = DecisionTreeClassifier(max_depth=depth, random_state=0)
        sorts.fit(self.features[used], label[used], sample_weight=self.weight[used])
        liking = np.zeros((sorts.tree_.node_count, len(self.names)))
        liking[:, sorts.classes_] = sorts.tree_.value[:, 0, :]
        yield Tree(sorts.tree_, liking, sorts.apply(self.features))
        # what is not offered costs as much as the worst that is: nobody learns to rely on it
        costs = np.where(self.offered, self.costs, self.weight[:, None])[used] / self.visits[used][:, None]
        prices = DecisionTreeRegressor(max_depth=depth, random_state=0)
        prices.fit(self.features[used], costs, sample_weight=self.visits[used])
        values = prices.tree_.value.reshape(prices.tree_.node_count, -1)
        yield Tree(prices.tree_, -values, prices.apply(self.features))

    def _followed(self, tree: Tree, depth: int) -> Rule:
        """A tree's rule, and what following it is worth: the side may choose nothing else in these windows."""
        liking = tree.liking[tree.leaf]
        chosen = np.where(self.offered, liking, -np.inf).argmax(axis=1)
        owners = self.graph.owners
        bound = self.offers[owners]
        allowed = self.values.allowed.copy()
        allowed[bound] &= self.kind[bound] == chosen[self.number[owners[bound]]]
        value = self.values.again(allowed=allowed).value
        cost = self.values.value - value if self.side == "party" else value - self.values.value
        sentences = tuple(_sentences(tree, self.quantities, self.names))
        return Rule(self.side, depth, sentences, self._agreement(chosen), value, cost)

    def _agreement(self, chosen: Array) -> float:
        """The share of the windows that are met in which nothing is better."""
        rows = np.arange(len(chosen))
        return float(sum(part[good[rows, chosen]].sum() for part, good in self.good) / self.visits.sum())


def features_of(graph: StateGraph, states: Array) -> tuple[list[Quantity], Array]:
    """(quantities, (n, F)): what a ruleset shows of all fighters, as it is counted, and of the attack under way."""
    ruleset = graph.encounter.ruleset
    shown = {_spoken(what.field or what.name): _spoken(what.name) for what in ruleset.fighter}
    words = words_of(graph.encounter)
    records = graph.states(states)
    flat = records.view(np.int64).reshape(len(states), -1)
    names, columns = [], []
    for word in graph.layout.varying:
        who, _, what = words[word].rpartition("'s ")
        if who and _spoken(what) in shown and len(np.unique(flat[:, word])) > 1:
            names.append(f"{who}'s {shown[_spoken(what)]}")
            columns.append(flat[:, word].astype(np.float64))
    seen = _scenes(graph, states)
    for place, about in enumerate(ruleset.scene):
        if about.name.partition(".")[0] in SCENE and len(np.unique(seen[:, place])) > 1:
            names.append(about.name.replace(".", " "))
            columns.append(seen[:, place].astype(np.float64))
    if not columns:
        return [Quantity("nothing", 0, 0, True)], np.zeros((len(states), 1))
    found = [
        Quantity(name, float(column.min()), float(column.max()), bool((column == np.floor(column)).all()))
        for name, column in zip(names, columns, strict=True)
    ]
    return found, np.stack(columns, axis=1)


def _spoken(name: str) -> str:
    return name.casefold().replace("_", " ")


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


def _sentences(tree: Tree, quantities: list[Quantity], defenses: tuple[str, ...]) -> Iterator[str]:
    """Each leaf of a tree as a sentence; neighbours that say the same are one."""
    inner = tree.nodes

    def decided(node: int) -> set[str]:
        if inner.children_left[node] < 0:
            return {defenses[int(tree.liking[node].argmax())]}
        return decided(inner.children_left[node]) | decided(inner.children_right[node])

    def walk(node: int, spans: dict[int, tuple[float, float]]) -> Iterator[str]:
        said = decided(node)
        if len(said) == 1:
            conditions = [quantities[feature].said(*span) for feature, span in spans.items()]
            yield f"{'if ' + ' and '.join(conditions) if conditions else 'always'}: {said.pop()}"
            return
        feature, border = int(inner.feature[node]), float(inner.threshold[node])
        low, high = spans.get(feature, (-np.inf, np.inf))
        yield from walk(inner.children_left[node], {**spans, feature: (low, min(high, border))})
        yield from walk(inner.children_right[node], {**spans, feature: (max(low, border), high)})

    yield from walk(0, {})
