"""The agent ``mcts``: Monte Carlo tree search over the rules, with upper confidence bounds for trees (UCT).

Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006. A node is a position in which somebody has a
choice (with its round), however it came about, so that transpositions share one; what the dice bring is sampled. Each
simulation adds one node, and is played to its end from there by a scripted agent. The n-th simulations of all actions
at the root share their luck, so that their difference is known better than each of them.
"""
# ruff: noqa: F821  (the ruleset's names are bound by specialise)
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agents.base import BaseAgent
from agents.search.base import plan_agent, whole
from agents.search.tree import Branch, Edge, Node, Tree, add_node, estimate, find, note_edge, promising, worth_of
from lens_env.core import mask as mask_module
from lens_env.core import record
from lens_env.core.dice import Dice, begin_action, end_action
from lens_env.core.kernel import Specialised
from lens_env.core.loops import decision_below
from lens_env.core.philox import LOW, start
from lens_env.core.policies import DECIDE, decide
from lens_env.errors import LensError
from lens_env.play.engine import Batch, Engine

Array = Any
MOST = 1_000_000  # simulations
BRANCHES = 24  # actions of a node that there is room for on average
EDGES = 16  # positions that follow on one, the same
MOST_PATH = 4096  # decisions of one simulation that are learned from
SEARCH = 15  # the stream of dice of simulations, next below those of policies
# The power of the mean by which actions' worths make up a position's: 1 is the mean of all visits, a high one their
# maximum, which chance flatters. Where both sides choose, these flatteries do not cancel out, but build up.
BLUNT = 2.0
SHARP = 6.0
MOMENTS = 1024  # random words of an action outside of exchanges, and of the exchange that it begins
PARTS = ("chosen", "take", "play_out", "simulate")


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
    edges: Array  # (N * EDGES,)
    table: Array  # (a power of two,) int64: nodes by hash
    path: Array  # (MOST_PATH, 2) int64: the nodes that were passed, and the branches taken


class MctsAgent(BaseAgent):
    """Plays what Monte Carlo tree search (UCT) visits most: simulations of the skirmish, from here to its end.

    ``simulations``: of each decision, 1..1,000,000. ``explore``: how much rarely tried actions are favoured, from 0.
    ``playout``: the scripted agent that plays both sides on from where the tree ends, and whose choice a new node
    tries first. ``opponent``: the scripted agent that the other side is taken to be; by default it is taken to play
    as well as it can. The same seed plays the same.
    """

    colon = "simulations"
    costly = True
    reads_round = True

    def __init__(
        self,
        simulations: Any = 1000,
        *,
        explore: Any = 1.4,
        playout: Any = "aggressive",
        opponent: Any = None,
        name: str = "mcts",
    ) -> None:
        super().__init__(name)
        self.simulations = whole(name, "simulations", simulations, 1, MOST)
        if isinstance(explore, bool) or not isinstance(explore, int | float) or not 0 <= explore <= 100:
            raise LensError(f"agent {name}: explore: a number from 0 to 100, got {explore!r}")
        self.explore = float(explore)
        self._playout = plan_agent(name, "playout", playout)
        self._opponent = None if opponent is None else plan_agent(name, "opponent", opponent)
        self._loops: dict[str, tuple[Specialised, Room]] = {}

    def act(self, batch: Batch) -> Array:
        """(B,) int64: the action that is visited most in each skirmish; of several the one that fared best."""
        loop, room = self._loop(batch.engine)
        actions = np.zeros(len(batch), np.int64)
        plans = self._playout.plans(batch), (self._opponent or self._playout).plans(batch)
        modelled = self._opponent is not None
        power = SHARP if modelled else BLUNT
        settings = modelled, self.simulations, self.explore, power, *self.seed
        batch.call(loop, *plans, *room, *settings, actions)
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
            edges=record.new(Edge, size * EDGES),
            table=np.zeros(1 << (2 * size).bit_length(), np.int64),
            path=np.zeros((MOST_PATH, 2), np.int64),
        )


def search_many(
    states: Array,
    dice: Array,
    setups: Array,
    which: Array,
    logs: Array,
    masks: Array,
    plans: Array,
    rivals: Array,
    work: Array,
    words: Array,
    chance: Array,
    legals: Array,
    rooms: Array,
    trees: Array,
    nodes: Array,
    branches: Array,
    edges: Array,
    table: Array,
    path: Array,
    modelled: bool,
    simulations: int,
    explore: float,
    power: float,
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
        tree.edges = 0
        for k in range(table.shape[0]):
            table[k] = -1
        used = used_words(root)
        game = Game(work[0], die, setups[which[i]], logs[0])
        plan = plans[which[i]]
        rival = rivals[which[i]]
        alone = root.state.side if modelled else -1
        work[0] = states[i]
        find(words, used, tree, nodes, table)
        add_node(root.state.side, masks[i], tree, nodes, branches, table, masks[i].listed[0])
        for _ in range(simulations):
            work[0] = states[i]
            simulate(
                game,
                words,
                used,
                legals[0],
                plan,
                rival,
                alone,
                rooms[0],
                tree,
                nodes,
                branches,
                edges,
                table,
                path,
                explore,
                power,
                low,
                high,
            )
        best = nodes[0].first
        for k in range(nodes[0].first, nodes[0].first + nodes[0].count):
            more = branches[k].visits - branches[best].visits
            gain = branches[k].value - branches[best].value
            if more > 0 or (more == 0 and (gain > 0) == (nodes[0].side == 0) and gain != 0):
                best = k
        actions[i] = branches[best].action


def chosen(game: Any, legal_now: Any, plan: Any, rival: Any, alone: int, room: Any, low: int, high: int) -> int:
    """What is played outside the tree: by the rival's plan for whom side ``alone``, if any, is searched against."""
    if 0 <= alone != game.state.side:
        return decide(game, legal_now, rival, room, low, high)
    return decide(game, legal_now, plan, room, low, high)


def take(game: Any, action: int, tree: Tree) -> None:
    """Play an action; a turn's n-th one outside exchanges, with what follows on it, finds the same dice each time."""
    if attacker_of(game) < 0:
        moment = game.state.game_round * 64 + game.state.decider
        tree.times = tree.times + 1 if moment == tree.moment else 0
        tree.moment = moment
        game.dice.source.environment = moment
        game.dice.source.taken = MOMENTS * tree.times
    begin_action(game.dice)
    apply(game, action)
    end_action(game.dice, action)
    tree.decisions += 1


def play_out(
    game: Any, legal_now: Any, plan: Any, rival: Any, alone: int, room: Any, tree: Tree, low: int, high: int
) -> float:
    """Play on to the end from a position whose actions are known; 1 if the party wins, 0 the foes, 0.5 undecided."""
    while True:
        action = chosen(game, legal_now, plan, rival, alone, room, low, high)
        take(game, action, tree)
        if is_over(game):
            return float(payoff(game))
        legal(game, legal_now)


def simulate(
    game: Any,
    words: Array,
    used: int,
    legal_now: Any,
    plan: Any,
    rival: Any,
    alone: int,
    room: Any,
    tree: Tree,
    nodes: Array,
    branches: Array,
    edges: Array,
    table: Array,
    path: Array,
    explore: float,
    power: float,
    low: int,
    high: int,
) -> None:
    """One simulation: down the tree, a new node, on to the end, and what came of it noted in all that were passed."""
    at = 0
    depth = 0
    result = 0.5
    tree.moment = -1
    taken = promising(nodes[0], branches, explore)
    game.dice.source.episode = branches[taken].visits
    game.dice.source.environment = LOW
    game.dice.source.taken = 0
    while True:
        taken = promising(nodes[at], branches, explore)
        path[depth, 0] = at
        path[depth, 1] = taken
        depth += 1
        branch = branches[taken]
        action = branch.action
        while True:
            take(game, action, tree)
            if is_over(game):
                break
            legal(game, legal_now)
            if legal_now.count > 1 and (alone < 0 or alone == game.state.side):
                break
            action = chosen(game, legal_now, plan, rival, alone, room, low, high)
        if is_over(game):
            result = payoff(game)
            branch.ended += 1
            branch.total += result
            break
        at = find(words, used, tree, nodes, table)
        if at >= 0 and depth < path.shape[0] and note_edge(branch, at, tree, edges):
            continue
        roomy = tree.nodes < nodes.shape[0] and tree.branches + legal_now.count <= branches.shape[0]
        if at < 0 and roomy and note_edge(branch, tree.nodes, tree, edges):
            added = tree.nodes
            add_node(game.state.side, legal_now, tree, nodes, branches, table, legal_now.listed[0])
            result = play_out(game, legal_now, plan, rival, alone, room, tree, low, high)
            nodes[added].value = result
            nodes[added].begun = result
            nodes[added].visits = 1
        else:
            result = play_out(game, legal_now, plan, rival, alone, room, tree, low, high)
            branch.ended += 1
            branch.total += result
        break
    for k in range(depth - 1, -1, -1):
        branch = branches[path[k, 1]]
        branch.visits += 1
        branch.value = estimate(branch, nodes, edges)
        node = nodes[path[k, 0]]
        node.visits += 1
        node.value = worth_of(node, branches, power)
