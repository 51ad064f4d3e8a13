"""The commands ``lens-env agents`` and ``lens-env evaluate``."""

from __future__ import annotations

import json
import math
from importlib.metadata import EntryPoint
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from agents import known, list_agents, load_agent
from agents.about import about, separated
from experiments.cli import app
from experiments.evaluate import Evaluation
from experiments.evaluate_exact import Solver
from experiments.evaluate_losses import mean_of, regret_in_play
from experiments.evaluate_play import MOST_POINTS, QUARTERS, Part, play_part
from experiments.question import Question
from experiments.settings import policy_named
from experiments.show_evaluation import defenses_table
from lens_env import Encounter, Game, load_encounter
from lens_env.exact import StateGraph, best_response, build_graph, policy_of, value_of

BOB, MAGE = "norova/bob", "norova/mage_duel"
Z = NormalDist().inv_cdf(0.975)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def refused(*arguments: str) -> str:
    result = run("evaluate", *arguments)
    assert result.exit_code in (1, 2), result.output
    assert result.stdout == ""
    assert "Error: " in result.stderr and "Traceback" not in result.stderr
    return result.stderr


def played(**changes: Any) -> Evaluation:
    found = Evaluation(Question("balanced", **{"encounters": (MAGE,), "skirmishes": 300, **changes}))
    assert list(found.play(1))[-1] == found.skirmishes
    return found


def solver_of(graph: StateGraph, agent: str, side: str = "party", **settings: Any) -> Solver:
    given = {"most_asked": 0, "skirmishes": 200, "seed": 0, "tell": print, **settings}
    return Solver(graph, load_agent(agent), side, **given)


# --- playing -----------------------------------------------------------------------------------------------


def test_what_is_counted_is_what_a_game_of_the_same_seed_shows() -> None:
    """One skirmish, played again decision by decision."""
    encounter = load_encounter("the_lens/ogre_at_the_ford")
    policies = policy_named("balanced"), policy_named("aggressive")
    count = play_part(Part(encounter, policies, 0, 7, 0, 1))
    agents = {side: load_agent(policy.label) for side, policy in zip(("party", "foes"), policies, strict=True)}
    game = Game(encounter, 7)
    for agent in agents.values():
        agent.reset(7)
    fighters = game.state["fighters"][0]
    names = encounter.built.fighters
    full = {name: int(fighters["body"][i]) for i, name in enumerate(names)}
    by_points: dict[tuple[str, int], int] = {}
    by_life: dict[tuple[str, int], int] = {}
    while not game.over:
        assert game.side is not None and game.decider is not None
        action = agents[game.side].choose(game)
        if game.side == "party" and game.window == "DEFEND":
            fighter = game.state["fighters"][0][names.index(game.decider)]
            points = min(int(fighter["momentum"]), MOST_POINTS)
            quarter = next(q for q in range(QUARTERS) if 4 * fighter["body"] <= (q + 1) * full[game.decider])
            by_points[action, points] = by_points.get((action, points), 0) + 1
            by_life[action, quarter] = by_life.get((action, quarter), 0) + 1
        game.play(action)
    assert len(by_points) > 1
    for found, expected in ((count.by_points, by_points), (count.by_life, by_life)):
        defenses = encounter.ruleset.defenses
        assert {(defenses[d], c): int(found[d, c]) for d, c in np.argwhere(found)} == expected
    fighters = game.state["fighters"][0]
    left = {name: max(0, int(fighters["body"][i])) for i, name in enumerate(names)}
    party = encounter.built.party_count
    assert count.own_full == sum(full[name] for name in names[:party])
    assert count.own_life == sum(left[name] for name in names[:party])
    assert count.enemy_life == sum(left[name] for name in names[party:])
    assert (count.wins, count.losses) == (int(game.winner == "party"), int(game.winner == "foes"))
    assert count.rounds == game.state["game_round"][0]


def test_a_side_wins_what_the_other_loses() -> None:
    one = played().places[0].cells[0].count
    other = Evaluation(Question("aggressive", "foes", ("balanced",), (MAGE,), skirmishes=300))
    list(other.play(1))
    two = other.places[0].cells[0].count
    assert (one.wins, one.losses, one.undecided) == (two.losses, two.wins, two.undecided)
    assert (one.own_life, one.enemy_life) == (two.enemy_life, two.own_life)
    assert 0 < one.wins < 300 == one.wins + one.losses + one.undecided


def test_neither_processes_nor_parts_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question("random", encounters=(BOB,), against=("balanced", "aggressive"), skirmishes=700)
    found = []
    for jobs, share in ((1, 512), (2, 100)):
        monkeypatch.setattr("experiments.evaluate_play.SHARE", share)
        evaluation = Evaluation(question)
        list(evaluation.play(jobs))
        found.append(evaluation.as_json())
    assert found[0] == found[1]
    assert json.loads(found[0])["encounters"][0]["cells"][0]["defenses_by_points"] != []


def test_intervals_are_wilsons() -> None:
    """The ends are the shares p from which the observed one is z standard deviations away."""
    cell = played(vary=("max_rounds=6",)).places[0].cells[0]
    assert cell.count.undecided > 0
    for rate in (cell.win, cell.undecided, cell.score):
        for end in (rate.low, rate.high):
            assert abs(rate.share - end) == pytest.approx(Z * (end * (1 - end) / 300) ** 0.5, rel=1e-9)
    assert cell.score.share == (cell.count.wins + cell.count.undecided / 2) / 300


# --- exactly -----------------------------------------------------------------------------------------------


def tiny() -> Encounter:
    """Both have 1 Vitality, blows always do damage; B acts first. A evades with 0.55, B with 0.3; up again: 0.3."""
    a = {"name": "A", "vitality": 1, "initiative": -10, "evade": 5, "attacks": [{"name": "a", "flat": 1}]}
    b = {"name": "B", "vitality": 1, "initiative": 20, "evade": 0, "attacks": [{"name": "b", "flat": 1}]}
    rules = {"offer_dominated": True}
    whole = {"ruleset": "norova", "name": "Tiny", "max_rounds": 3, "party": [a], "foes": [b], "rules": rules}
    return Encounter.from_dict(whole)


def by_hand(a_hit: float = 0.45, b_hit: float = 0.7) -> float:
    """What A's side has, if these are the chances to be hit."""
    value = 0.5
    for _ in range(3):
        value = (1 - 0.7 * a_hit) * (0.7 * b_hit + (1 - 0.7 * b_hit) * value)
    return value


@pytest.mark.parametrize(
    ("side", "game", "worst"), [("party", by_hand(), by_hand(a_hit=1)), ("foes", 1 - by_hand(), 1 - by_hand(b_hit=1))]
)
def test_regret_and_exploitability_solved_by_hand(side: str, game: float, worst: float) -> None:
    """Who never evades is always hit by what is not evaded."""
    best = load_agent("prefer:EVADE,ATTACK")
    graph = build_graph(tiny())
    solver = solver_of(graph, "prefer:NONE,ATTACK", side)
    safety, exact = solver.safety(), solver.exact(best)
    assert (safety.game, safety.worst) == (pytest.approx(game, abs=1e-14), pytest.approx(worst, abs=1e-14))
    assert safety.exploitability == pytest.approx(game - worst, abs=1e-14)
    assert exact is not None and exact.asked is None
    assert (exact.value, exact.optimum) == (pytest.approx(worst, abs=1e-14), pytest.approx(game, abs=1e-14))
    assert exact.regret == pytest.approx(game - worst, abs=1e-14)
    assert exact.ratio == pytest.approx(worst / game, abs=1e-13)
    assert solver.notes == []


@pytest.mark.parametrize("side", ["party", "foes"])
def test_the_exact_agent_loses_nothing(side: str) -> None:
    solver = solver_of(build_graph(tiny()), "exact", side)
    safety, exact = solver.safety(), solver.exact(load_agent("prefer:EVADE,ATTACK"))
    assert safety.exploitability == pytest.approx(0, abs=1e-14)
    assert exact is not None and exact.regret == pytest.approx(0, abs=1e-14)


def test_a_costly_agent_is_asked_only_where_play_leads() -> None:
    told = list[str]()
    graph, best = build_graph(tiny()), load_agent("prefer:EVADE,ATTACK")
    solver = solver_of(graph, "greedy", most_asked=1000, tell=told.append)
    assert solver.safety().worst is None
    exact = solver.exact(best)
    assert exact is not None and exact.asked is not None
    assert exact.value == pytest.approx(by_hand(), abs=1e-14)
    assert 0 < exact.asked <= 3 * (graph.sides == 0).sum()  # in three rounds
    assert told[-1] == f"greedy asked in {exact.asked:,} of at most 1,000 states"
    assert solver.notes == ["no worst case: greedy is too slow to be asked about every state"]
    too_few = solver_of(graph, "greedy", most_asked=exact.asked - 1, tell=told.append)
    without = too_few.exact(best)
    assert without is not None and without.value is None and without.lost is not None
    assert without.optimum == pytest.approx(by_hand(), abs=1e-14)  # greedy plays well enough here
    assert without.lost.high == without.regret == 0
    assert "(--ask): its regret is that of the skirmishes it played" in too_few.notes[0]
    assert told[-1] == "greedy watched in 200 of 200 skirmishes"
    costly = solver_of(graph, "balanced")
    assert costly.exact(load_agent("greedy")) is None
    assert costly.notes == ["nothing exact against greedy: it is too slow to be asked about every state"]


@pytest.mark.parametrize(
    ("side", "party", "foes"), [("party", "thrifty", "aggressive"), ("foes", "aggressive", "thrifty")]
)
def test_losses_in_play_sum_up_to_the_regret(side: str, party: str, foes: str) -> None:
    """Of an agent whose regret is known exactly; the wins of as many skirmishes say much less about it."""
    graph = build_graph(load_encounter("norova/duel"))
    agents = load_agent(party), load_agent(foes)
    policies = [policy_of(graph, agent, name) for agent, name in zip(agents, ("party", "foes"), strict=True)]
    number = ("party", "foes").index(side)
    best = best_response(graph, side, policies[1 - number])
    regret = abs(best.value - value_of(graph, *policies).value)
    found = regret_in_play(graph.encounter, best, number, agents, 3, 300, lambda more: None)
    assert regret > 0.01
    assert abs(found.mean - regret) < 1.5 * (found.high - found.low)
    assert found.high - found.low < 0.5 * 2 * Z * 0.5 / 300**0.5


def test_the_mean_of_losses_has_its_interval() -> None:
    """The quantile of Student's t with one degree of freedom is tan(0.475 pi)."""
    found = mean_of(np.array([0.0, 1.0]))
    assert (found.mean, found.low, found.skirmishes) == (0.5, 0.0, 2)
    assert found.high == pytest.approx(0.5 + 0.5 * math.tan(0.475 * math.pi))


def test_the_score_in_play_is_about_the_exact_value() -> None:
    evaluation = played(skirmishes=4000, vary=("max_rounds=6",))
    place = evaluation.places[0]
    evaluation.solve(place, lambda text: None, threads=1)
    cell = place.cells[0]
    assert cell.exact is not None and cell.exact.value is not None
    spread = (cell.exact.value * (1 - cell.exact.value) / 4000) ** 0.5
    assert abs(cell.score.share - cell.exact.value) < 3 * spread


# --- the command -------------------------------------------------------------------------------------------


def test_it_shows_and_writes_what_it_found(folder: Path) -> None:
    arguments = ("--against", "prefer:EVADE,ATTACK,random", "--vary", "max_rounds=1,2", "--skirmishes", "60")
    result = run("evaluate", "balanced", *arguments, "--encounter", BOB, "--json", "found.json", "--jobs", "1")
    assert result.exit_code == 0, result.output
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    assert {"format", "version", "confidence", "question", "encounters"} == set(found)
    assert found["question"]["against"] == ["prefer:EVADE,ATTACK", "random"]
    assert [place["encounter"] for place in found["encounters"]] == [f"{BOB} (max_rounds={n})" for n in (1, 2)]
    for place in found["encounters"]:
        assert {"digest", "defenses", "points", "notes", "game", "cells", "ruleset"} <= set(place)
        assert place["game"]["exploitability"] == pytest.approx(place["game"]["game"] - place["game"]["worst"])
        assert f"{place['game']['game']:.6f} ({place['game']['states']:,} states)" in result.stdout
        for cell in place["cells"]:
            assert cell["wins"] + cell["losses"] + cell["undecided"] == cell["skirmishes"] == 60
            assert {"share", "low", "high"} == set(cell["win_rate"]) == set(cell["score"])
            assert len(cell["defenses_by_points"]) == len(cell["defenses_by_life"]) == len(place["defenses"])
            assert cell["exact"]["regret"] == pytest.approx(cell["exact"]["optimum"] - cell["exact"]["value"])
            assert f"{cell['exact']['value']:.6f}" in result.stdout
    assert "Share of each defence" in result.stdout


def test_what_is_too_large_is_only_played() -> None:
    large = run("evaluate", "balanced", "--encounter", MAGE, "--skirmishes", "20", "--max-states", "100")
    assert large.exit_code == 0, large.output
    assert "Note: not solved, only played" in large.stdout and "too large to be solved" in large.stdout
    unasked = run("evaluate", "balanced", "--encounter", MAGE, "--skirmishes", "20", "--no-exact")
    assert "Note: " not in unasked.stdout and "regret" not in unasked.stdout
    assert large.stdout.startswith(unasked.stdout.partition("Share")[0].rstrip())


def test_tables_fit_a_terminal_of_eighty_columns() -> None:
    screen = Console(width=300, record=True, markup=False)
    counts = np.array([[0, 0, 0], [3, 0, 1], [1, 0, 3]])
    screen.print(defenses_table(("NONE", "BLOCK", "DODGE"), ("0", "1", "2"), counts))
    rows = [line.split() for line in screen.export_text().splitlines() if line.split()]
    assert rows[0] == ["defence", "0", "2", "all"]
    assert rows[2:4] == [["BLOCK", "75.0", "25.0", "50.0"], ["DODGE", "25.0", "75.0", "50.0"]]
    assert rows[4:] == [["attacks", "4", "4", "8"]]
    result = run("evaluate", "balanced", "--against", "prefer:EVADE,ATTACK,END TURN", "--encounter", BOB)
    assert result.exit_code == 0, result.output
    assert max(len(line.rstrip()) for line in result.stdout.splitlines()) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nobody",), "unknown agent 'nobody'"),
        (("balanced", "--against", "randm"), "unknown agent 'randm', did you mean 'random'?"),
        (("balanced", "--against", "random,random"), "against: 'random' stands here twice"),
        (("balanced", "--against", "random", "--against", "random"), "against: 'random' stands here twice"),
        (("balanced", "--against", "random,"), "against: a name is empty"),
        (("prefer:JUMP",), "unknown action 'JUMP'"),
        (("mcts:x",), "simulations: a whole number from 1 to"),
        (("policy:nowhere",), "nowhere"),
        (("balanced", "--encounter", "norova/nobody"), "norova/nobody: no such file"),
        (("balanced", "--encounter", BOB, "--encounter", BOB), f"encounter: '{BOB}' stands here twice"),
        (("balanced", "--side", "both"), "side: allowed are party, foes, got 'both'"),
        (("balanced", "--vary", "foes.0.body"), "vary: a path and its values, as in foes.0.body=10,20"),
        (("balanced", "--vary", "foes.0.bdy=1"), "vary.foes.0.bdy: is no known field"),
        (("balanced", "--vary", "foes.0.body=1,x"), "vary.foes.0.body.1: must be a whole number, got 'x'"),
        (("balanced", "--vary", "foes.0.body=1,1"), "stands here twice"),
        (("balanced", "--vary", "foes.0.body=[1"), "--vary foes.0.body=[1"),
        (("balanced", "--vary", "foes.0.body=1", "--vary", "foes.0.body=2"), "vary: 'foes.0.body' stands here twice"),
        (("balanced", "--json", "."), "is a folder"),
        (("balanced", "--skirmishes", "0"), "--skirmishes"),
        (("balanced", "--jobs", "0"), "--jobs"),
        (("balanced", "--max-states", "0"), "--max-states"),
        (("balanced", "--ask", "-1"), "--ask"),
        ((), "agent"),
    ],
)
def test_wrong_input_is_one_clear_message(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in refused(*arguments)


# --- agents ------------------------------------------------------------------------------------------------


def test_agents_are_listed_with_what_they_do() -> None:
    result = run("agents")
    assert result.exit_code == 0, result.output
    lines = [line.strip() for line in result.stdout.splitlines()]
    for name in list_agents():
        assert [line for line in lines if line.split()[:1] == [name] and len(line.split()) > 3], name
    assert {"Scripted:", "Searching:", "Exact:", "Learned:"} <= set(lines)
    assert "From other packages:" not in lines


def test_an_agent_is_told_about_with_its_settings() -> None:
    result = run("agents", "mcts")
    assert result.exit_code == 0, result.output
    assert "``explore``: how much rarely tried actions are favoured" in result.stdout
    assert "mcts:SIMULATIONS" in result.stdout
    assert [line.split() for line in result.stdout.splitlines()[-4:]] == [
        ["simulations", "1000"],
        ["explore", "1.4"],
        ["playout", "aggressive"],
        ["opponent", "null"],
    ]
    assert "prefer:PREFERENCE,PREFERENCE,..." in run("agents", "prefer").stdout
    assert "preferences  (must be given)" in run("agents", "prefer").stdout
    assert "It has no settings." in run("agents", "balanced").stdout
    assert "ATTACK+DEFENSE" in run("agents", "joined").stdout
    unknown = run("agents", "mtcs")
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert "did you mean 'mcts'?" in unknown.stderr
    for name in list_agents():
        assert about(name).text and about(name).written


def test_an_agent_of_others_that_cannot_be_loaded_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("broken", "nowhere:Agent", "lens_env.agents"),
        EntryPoint("theirs", "agents.scripted.random:RandomAgent", "lens_env.agents"),
    ]
    monkeypatch.setattr(known, "entry_points", lambda group: points)
    known.list_agents.cache_clear()
    try:
        for command in ("agents", "list"):
            result = run(command)
            assert result.exit_code == 0, result.output
            assert "(agent 'broken' cannot be loaded from nowhere:Agent" in result.stdout
            assert "Plays any legal action" in result.stdout.partition("theirs")[2]
        assert "From other packages:" in run("agents").stdout
    finally:
        known.list_agents.cache_clear()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("random", ["random"]),
        ("random, aggressive", ["random", "aggressive"]),
        ("prefer:BLOCK,ATTACK,random", ["prefer:BLOCK,ATTACK", "random"]),
        ("aggressive+thrifty,mcts:50,greedy", ["aggressive+thrifty", "mcts:50", "greedy"]),
        ("prefer:BLOCK,ATTACK,aggressive+thrifty", ["prefer:BLOCK,ATTACK", "aggressive+thrifty"]),
        ("random,randm", ["random", "randm"]),
        ("policy:a,b,exact:c", ["policy:a,b", "exact:c"]),
        (
            "prefer:BLOCK,{agent: prefer, preferences: [BLOCK, random]},greedy",
            ["prefer:BLOCK", "{agent: prefer, preferences: [BLOCK, random]}", "greedy"],
        ),
    ],
)
def test_commas_between_agents_and_in_them(text: str, expected: list[str]) -> None:
    assert separated(text) == expected
