"""The tree of a search: positions, what was played in them, and where that led; in compiled code.

An action is worth the mean of the nodes that it has led to, a node the power mean of its actions' worths (Dam et al.,
"Generalized mean estimation in Monte-Carlo tree search", IJCAI 2020).
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from lens_env.core.kernel import kernel
from lens_env.core.philox import LOW
from lens_env.core.record import Record

Array = Any
WORD = 0x7FFFFFFFFFF  # 43 bits, so that a product with a factor below 2**20 fits 63


class Node(Record):
    """A position in the tree."""

    key: int  # two hashes of the position
    check: int
    side: int  # who decides
    first: int  # its first branch
    count: int  # of branches
    visits: int
    value: float  # what it seems to be worth: 1 the party wins, 0 the foes do, 0.5 undecided
    begun: float  # the result of the simulation that added it


class Branch(Record):
    """An action in a position."""

    action: int
    visits: int
    value: float  # the mean of what came of it
    ended: int  # simulations that it led out of the tree, or to the end
    total: float  # their results
    edge: int  # the first of its edges, -1: none


class Edge(Record):
    """A position that an action has led to."""

    child: int
    visits: int
    after: int  # the next edge of the same branch, -1: none


class Tree(Record):
    """How much of the tree is in use, and what was found last."""

    nodes: int
    branches: int
    edges: int
    key: int
    check: int
    decisions: int  # simulated, in all searches
    moment: int  # of a simulation: whose turn in which round
    times: int  # actions outside an exchange in that turn


@kernel
def hashed(words: Array, used: int, factor: int, begin: int) -> int:
    """A hash of 43 bits of the leading words."""
    found = begin
    for k in range(used):
        word = words[k]
        found = (found * factor + ((word ^ (word >> 31)) & LOW) + 1) & WORD
        found ^= found >> 21
    return found


@kernel
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


@kernel
def add_node(side: int, mask: Any, tree: Tree, nodes: Array, branches: Array, table: Array, first: int) -> None:
    """Add the position that was looked for last; the action ``first`` is its first branch."""
    node = nodes[tree.nodes]
    node.key = tree.key
    node.check = tree.check
    node.side = side
    node.first = tree.branches
    node.count = mask.count
    node.visits = 0
    node.value = 0.5
    node.begun = 0.5
    branches[tree.branches].action = first
    at = tree.branches + 1
    for k in range(mask.count):
        if mask.listed[k] != first:
            branches[at].action = mask.listed[k]
            at += 1
    for k in range(tree.branches, at):
        branches[k].visits = 0
        branches[k].ended = 0
        branches[k].total = 0.0
        branches[k].value = 0.5
        branches[k].edge = -1
    tree.branches = at
    last = table.shape[0] - 1
    place = tree.key & last
    while table[place] >= 0:
        place = (place + 1) & last
    table[place] = tree.nodes
    tree.nodes += 1


@kernel
def promising(node: Node, branches: Array, explore: float) -> int:
    """The branch with the highest upper confidence bound; one never taken counts as one visit of the node's mean."""
    spread = log(node.visits + 1.0)
    best = node.first
    most = -1.0
    for k in range(node.first, node.first + node.count):
        visits = max(1, branches[k].visits)
        value = branches[k].value if branches[k].visits > 0 else node.value
        if node.side == 1:
            value = 1.0 - value
        bound = value + explore * sqrt(spread / visits)
        if bound > most:
            most = bound
            best = k
    return best


@kernel
def note_edge(branch: Branch, child: int, tree: Tree, edges: Array) -> bool:
    """Note that an action has led to a position; False if there is no room for it."""
    at = branch.edge
    while at >= 0:
        if edges[at].child == child:
            edges[at].visits += 1
            return True
        at = edges[at].after
    if tree.edges >= edges.shape[0]:
        return False
    edges[tree.edges].child = child
    edges[tree.edges].visits = 1
    edges[tree.edges].after = branch.edge
    branch.edge = tree.edges
    tree.edges += 1
    return True


@kernel
def estimate(branch: Branch, nodes: Array, edges: Array) -> float:
    """What an action is worth: the mean over where it has led."""
    total = branch.total
    at = branch.edge
    while at >= 0:
        total += edges[at].visits * nodes[edges[at].child].value
        at = edges[at].after
    return float(total / branch.visits)


@kernel
def worth_of(node: Node, branches: Array, power: float) -> float:
    """What a position is worth: a power mean of its actions' worths, by visits, so that good ones count more."""
    sure = node.side == 0
    total = (node.begun if sure else 1.0 - node.begun) ** power
    visits = 1
    for k in range(node.first, node.first + node.count):
        if branches[k].visits > 0:
            value = branches[k].value if sure else 1.0 - branches[k].value
            total += branches[k].visits * value**power
            visits += branches[k].visits
    found = (total / visits) ** (1.0 / power)
    return float(found if sure else 1.0 - found)
