"""The agent ``mcts``: Monte Carlo tree search over the rules, with upper confidence bounds for trees (UCT).

Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006. A node is a position in which somebody is asked
(with its round), however it came about, so that transpositions share one; what the dice bring is sampled. Each
simulation adds one node, and is played to its end from there by a scripted agent.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from agents.base import BaseAgent
from agents.search.base import plan_agent, whole
from lens_env.core import mask as mask_module
from lens_env.core import record
from lens_env.core.dice import Dice, begin_action, end_action
from lens_env.core.kernel import Specialised
from lens_env.core.loops import decision_below
from lens_env.core.philox import LOW, start
from lens_env.core.policies import DECIDE, decide
from lens_env.core.record import Record
from lens_env.errors import LensError
from lens_env.play.engine import Batch, Engine

Array = Any
MOST = 1_000_000  # simulations
BRANCHES = 24  # actions of a node that there is room for on average
MOST_PATH = 4096  # decisions of one simulation that are learned from
SEARCH = 15  # the stream of dice of simulations, next below those of policies
WORD = 0x7FFFFFFFFFF  # 43 bits, so that a product with a factor below 2**20 fits 63
PARTS = ("hashed", "find", "add_node", "promising", "play_out", "simulate")


class Node(Record):
    """A position in the tree."""

    key: int  # two hashes of the position
    check: int
    side: int  # who decides
    first: int  # its first branch
    count: int  # of branches
    visits: int


class Branch(Record):
    """An action in a position."""

    action: int
    visits: int
    total: float  # the results of the simulations that took it: 1 the party won, 0 the foes, 0.5 undecided


class Tree(Record):
    """How much of the tree is in use, and what was found last."""

    nodes: int
    branches: int
    key: int
    check: int
    decisions: int  # simulated, in all searches


class Room(NamedTuple):
    """What a search works in."""

    work: Array  # (1,) state
    words: Array  # the same memory as (W,) int64
    chance: Array  # (1,) Dice
    legal: Array  # (1,) mask
    room: Array  # (1,) for plans
    tree: Array  # (1,) Tree
    nodes: Array  # (N,)
    branches: Array  # (N * BRANCHES,)
    table: Array  # (a power of two,) int64: nodes by hash
    path: Array  # (MOST_PATH,) int64: the branches taken


class MctsAgent(BaseAgent):
    """Plays what Monte Carlo tree search (UCT) visits most: simulations of the skirmish, from here to its end.

    ``simulations``: of each decision, 1..1,000,000. ``explore``: how much rarely tried actions are favoured, from 0.
    ``playout``: the scripted agent that plays both sides on from where the tree ends, and whose choice a new node
    tries first. The same seed plays the same.
    """

    colon = "simulations"
    costly = True
    reads_round = True

    def __init__(
        self, simulations: Any = 1000, *, explore: Any = 1.0, playout: Any = "aggressive", name: str = "mcts"
    ) -> None:
        super().__init__(name)
        self.simulations = whole(name, "simulations", simulations, 1, MOST)
        if isinstance(explore, bool) or not isinstance(explore, int | float) or not 0 <= explore <= 100:
            raise LensError(f"agent {name}: explore: a number from 0 to 100, got {explore!r}")
        self.explore = float(explore)
        self._playout = plan_agent(name, "playout", playout)
        self._loops: dict[str, tuple[Specialised, Room]] = {}

    def act(self, batch: Batch) -> Array:
        """(B,) int64: the action that is visited most in each skirmish; of several the one that fared best."""
        loop, room = self._loop(batch.engine)
        actions = np.zeros(len(batch), np.int64)
        settings = self.simulations, self.explore, *self.seed
        batch.call(loop, self._playout.plans(batch), *room, *settings, actions)
        return actions

    @property
    def decisions(self) -> int:
        """How many decisions have been simulated so far."""
        return sum(int(room.tree["decisions"][0]) for _, room in self._loops.values())

    def _loop(self, engine: Engine) -> tuple[Specialised, Room]:
        """The compiled loop for a ruleset, and room to work in."""
        name = engine.ruleset.name
        if name not in self._loops:
            self._loops[name] = engine.bind(search_many, PARTS, (DECIDE,)), self._make_room(engine)
        return self._loops[name]

    def _make_room(self, engine: Engine) -> Room:
        work = engine.ruleset.new_states(1)
        size = self.simulations + 1
        return Room(
            work=work,
            words=work.view(np.int64).reshape(-1),
            chance=record.new(Dice),
            legal=np.zeros(1, mask_module.dtype(engine.ruleset.size)),
            room=engine.new_room(),
            tree=record.new(Tree),
            nodes=record.new(Node, size),
            branches=record.new(Branch, engine.ruleset.size + size * BRANCHES),
            table=np.zeros(1 << (2 * size).bit_length(), np.int64),
            path=np.zeros(MOST_PATH, np.int64),
        )


def search_many(
    states: Array,
    dice: Array,
    setups: Array,
    which: Array,
    logs: Array,
    masks: Array,
    plans: Array,
    work: Array,
    words: Array,
    chance: Array,
    legals: Array,
    rooms: Array,
    trees: Array,
    nodes: Array,
    branches: Array,
    table: Array,
    path: Array,
    simulations: int,
    explore: float,
    low: int,
    high: int,
    actions: Array,
) -> None:
    """Search every skirmish (B) that is not over for its action."""
    for i in range(states.shape[0]):
        if masks[i].count == 0:
            continue
        if masks[i].count == 1:
            actions[i] = masks[i].listed[0]
            continue
        root = Game(states[i], dice[i], setups[which[i]], logs[0])
        own = dice[i].source
        drawn = decision_below(dice[i], root.state.side, low, high, 1 << 31)
        die = chance[0]
        die.mode = 0
        die.fault = 0
        die.trail = dice[i].trail
        start(die.source, drawn, (high ^ own.seed_high) & LOW, SEARCH, own.environment, own.episode)
        tree = trees[0]
        tree.nodes = 0
        tree.branches = 0
        for k in range(table.shape[0]):
            table[k] = -1
        used = used_words(root)
        game = Game(work[0], die, setups[which[i]], logs[0])
        plan = plans[which[i]]
        work[0] = states[i]
        find(words, used, tree, nodes, table)
        add_node(game, masks[i], tree, nodes, branches, table, masks[i].listed[0])
        for _ in range(simulations):
            work[0] = states[i]
            simulate(
                game, words, used, legals[0], plan, rooms[0], tree, nodes, branches, table, path, explore, low, high
            )
        best = nodes[0].first
        for k in range(nodes[0].first, nodes[0].first + nodes[0].count):
            more = branches[k].visits - branches[best].visits
            gain = branches[k].total - branches[best].total
            if more > 0 or (more == 0 and (gain > 0) == (nodes[0].side == 0) and gain != 0):
                best = k
        actions[i] = branches[best].action


def hashed(words: Array, used: int, factor: int, begin: int) -> int:
    """A hash of 43 bits of the leading words."""
    found = begin
    for k in range(used):
        word = words[k]
        found = (found * factor + ((word ^ (word >> 31)) & LOW) + 1) & WORD
        found ^= found >> 21
    return found


def find(words: Array, used: int, tree: Tree, nodes: Array, table: Array) -> int:
    """The node of the position in the words, -1 if there is none."""
    tree.key = hashed(words, used, 1000003, 1)
    tree.check = hashed(words, used, 999983, 7)
    last = table.shape[0] - 1
    at = tree.key & last
    while table[at] >= 0:
        node = nodes[table[at]]
        if node.key == tree.key and node.check == tree.check:
            return int(table[at])
        at = (at + 1) & last
    return -1


def add_node(game: Any, mask: Any, tree: Tree, nodes: Array, branches: Array, table: Array, first: int) -> None:
    """Add the position that was looked for last; the action ``first`` is its first branch."""
    node = nodes[tree.nodes]
    node.key = tree.key
    node.check = tree.check
    node.side = game.state.side
    node.first = tree.branches
    node.count = mask.count
    node.visits = 0
    branches[tree.branches].action = first
    at = tree.branches + 1
    for k in range(mask.count):
        if mask.listed[k] != first:
            branches[at].action = mask.listed[k]
            at += 1
    for k in range(tree.branches, at):
        branches[k].visits = 0
        branches[k].total = 0.0
    tree.branches = at
    last = table.shape[0] - 1
    place = tree.key & last
    while table[place] >= 0:
        place = (place + 1) & last
    table[place] = tree.nodes
    tree.nodes += 1


def promising(node: Node, branches: Array, explore: float) -> int:
    """The branch with the highest upper confidence bound; one never taken counts as one visit of the node's mean."""
    total = 0.0
    for k in range(node.first, node.first + node.count):
        total += branches[k].total
    mean = total / node.visits if node.visits > 0 else 0.5
    spread = log(node.visits + 1.0)
    best = node.first
    most = -1.0
    for k in range(node.first, node.first + node.count):
        visits = max(1, branches[k].visits)
        value = branches[k].total / visits if branches[k].visits > 0 else mean
        if node.side == 1:
            value = 1.0 - value
        bound = value + explore * sqrt(spread / visits)
        if bound > most:
            most = bound
            best = k
    return best


def play_out(game: Any, legal_now: Any, plan: Any, room: Any, tree: Tree, low: int, high: int, action: int) -> float:
    """Play on to the end, beginning with this action; 1 if the party wins, 0 if the foes do, 0.5 if it is undecided."""
    while True:
        begin_action(game.dice)
        apply(game, action)
        end_action(game.dice, action)
        tree.decisions += 1
        if is_over(game):
            return float(payoff(game))
        legal(game, legal_now)
        action = decide(game, legal_now, plan, room, low, high)


def simulate(
    game: Any,
    words: Array,
    used: int,
    legal_now: Any,
    plan: Any,
    room: Any,
    tree: Tree,
    nodes: Array,
    branches: Array,
    table: Array,
    path: Array,
    explore: float,
    low: int,
    high: int,
) -> None:
    """One simulation: down the tree, a new node, on to the end, and what came of it noted in all that were passed."""
    at = 0
    depth = 0
    result = 0.5
    while True:
        taken = promising(nodes[at], branches, explore)
        nodes[at].visits += 1
        path[depth] = taken
        depth += 1
        begin_action(game.dice)
        apply(game, branches[taken].action)
        end_action(game.dice, branches[taken].action)
        tree.decisions += 1
        if is_over(game):
            result = payoff(game)
            break
        at = find(words, used, tree, nodes, table)
        if at >= 0 and depth < path.shape[0]:
            continue
        legal(game, legal_now)
        action = decide(game, legal_now, plan, room, low, high)
        room_left = tree.nodes < nodes.shape[0] and tree.branches + legal_now.count <= branches.shape[0]
        if at < 0 and room_left and depth < path.shape[0]:
            added = tree.nodes
            add_node(game, legal_now, tree, nodes, branches, table, action)
            nodes[added].visits = 1
            path[depth] = nodes[added].first
            depth += 1
        result = play_out(game, legal_now, plan, room, tree, low, high, action)
        break
    for k in range(depth):
        branches[path[k]].visits += 1
        branches[path[k]].total += result
