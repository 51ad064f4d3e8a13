from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from agents import Agent, known, list_agents, load_agent, modules_of
from agents.scripted.plan import PlanAgent, ranks
from agents.scripted.prefer import PreferAgent, Preset
from agents.scripted.random import RandomAgent
from lens_env import Encounter, load_encounter
from lens_env.errors import LensError
from lens_env.play.encounter import list_encounters

NAMED = [name for name in list_agents() if name not in ("prefer", "joined", "policy", "onnx")]


def test_the_promised_agents_are_there() -> None:
    promised = {"random", "prefer", "aggressive", "balanced", "never_defend"}
    promised |= {f"always_{defense}" for defense in ("block", "dodge", "parry", "mitigate", "clash")}
    promised |= {"poise_miser", "tier_gambler", "always_evade", "always_defend", "counter_first", "guardian"}
    promised |= {"focus_weakest", "focus_strongest", "spread", "tag_hunter", "cautious"}
    promised |= {"thrifty", "last_stand", "expected_harm", "joined", "exact"}
    assert promised <= set(list_agents())


@pytest.mark.parametrize("name", NAMED)
def test_an_agent_is_found_by_its_name(name: str) -> None:
    agent = load_agent(name)
    assert isinstance(agent, Agent)
    assert agent.name == name


def test_others_announce_their_agents_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("careful", "agents.scripted.random:RandomAgent", "lens_env.agents"),
        EntryPoint("random", "nowhere:Impostor", "lens_env.agents"),
        EntryPoint("broken", "nowhere:Agent", "lens_env.agents"),
        EntryPoint("other", "fractions:Fraction", "lens_env.agents"),
    ]
    monkeypatch.setattr(known, "entry_points", lambda group: points)
    known.list_agents.cache_clear()
    try:
        assert isinstance(load_agent("careful"), RandomAgent)
        assert isinstance(load_agent("random"), RandomAgent)  # nobody replaces ours
        with pytest.raises(LensError, match="agent 'broken' cannot be loaded from nowhere:Agent"):
            load_agent("broken")
        with pytest.raises(LensError, match=r"agent 'other': .* makes no agent"):
            load_agent({"agent": "other"})
    finally:
        known.list_agents.cache_clear()


def test_settings_are_given_as_text_or_as_a_mapping() -> None:
    one = load_agent("prefer:BLOCK, ATTACK")
    two = load_agent({"agent": "prefer", "preferences": ["BLOCK", "ATTACK"]})
    assert isinstance(one, PlanAgent) and isinstance(two, PlanAgent)
    assert one.attack.words == two.attack.words == two.defense.words == ("BLOCK", "ATTACK")
    assert modules_of({"agent": "prefer"}) == ("agents.scripted.prefer",)
    both = ("agents.scripted.gm", "agents.scripted.parts", "agents.scripted.prefer")
    assert modules_of("aggressive+balanced") == both


def test_an_unknown_agent_is_refused_with_the_nearest_and_all_names() -> None:
    with pytest.raises(LensError, match=r"unknown agent 'agressive', did you mean 'aggressive'\?; known: .*random"):
        load_agent("agressive")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"preferences": []}, "the key 'agent'"),
        (7, "an agent is a name or a mapping"),
        ("prefer", "missing 1 required positional argument"),
        ({"agent": "prefer", "preferences": []}, "a list of 1 to 200"),
        ({"agent": "prefer", "preferences": "BLOCK"}, "preferences: a list of names"),
        ({"agent": "prefer", "preferences": ["BLOCK", 7]}, "preferences: a list of names of actions"),
        ({"agent": "prefer", "preferences": {"BLOCK": 1}}, "preferences: a list of names of actions"),
        ({"agent": "prefer", "preferences": ["BLOCK"] * 201}, "a list of 1 to 200 names, got 201"),
        ({"agent": "prefer", "preferences": ["BLOCK"], "reserve": -1}, "reserve: a whole number"),
        ({"agent": "prefer", "preferences": ["BLOCK"], "reserve": 100}, "reserve: a whole number of points, 0 to 99"),
        ({"agent": "prefer", "preferences": ["BLOCK"], "reserve": True}, "reserve: a whole number"),
        ({"agent": "prefer", "preferences": ["BLOCK"], "focus": "no"}, "focus: true or false, got 'no'"),
        ({"agent": "prefer", "preferences": ["BLOCK"], "focus": 1}, "focus: true or false, got 1"),
        ({"agent": "prefer", "preferences": ["BLOCK"], "surest": "BLOCK"}, "surest: a list of names"),
        ({"agent": "random", "luck": 1}, "its settings do not fit: .*luck"),
        ("random:BLOCK", "agent 'random' takes no settings after a colon; write only 'random'"),
        ("thrifty:2", r"agent thrifty: threshold: a share from 0 to 1, got '2'"),
        ("last_stand:much", "threshold: a share from 0 to 1, got 'much'"),
        ({"agent": "thrifty", "threshold": True}, "threshold: a share from 0 to 1, got True"),
        ("aggressive+", "unknown agent ''"),
        ("aggressive+nobody", "unknown agent 'nobody'"),
        ("aggressive+random", "agent joined: defense: random follows no written plan, so it cannot be joined"),
        ({"agent": "joined", "attack": "aggressive"}, "its settings do not fit: .*defense"),
        ("always_block:PARRY", "agent 'always_block' takes no settings after a colon"),
    ],
)
def test_wrong_settings_are_refused(spec: object, message: str) -> None:
    with pytest.raises(LensError, match=message):
        load_agent(spec)  # type: ignore[arg-type]


def test_a_preference_that_names_no_action_is_refused(duel: Encounter) -> None:
    load_agent("prefer:BLOCK,ATTACK Ogre,attack").check([duel])
    with pytest.raises(LensError, match=r"unknown action 'BLOK', did you mean 'BLOCK'\?; actions begin with: .*ATTACK"):
        load_agent("prefer:BLOK").check([duel])


def test_our_own_settings_fit_every_encounter(duel: Encounter) -> None:
    """None of them need occur in an encounter, but all are actions of some that come with lens_env."""
    ours = [load_encounter(name) for name in list_encounters()]
    checked = []
    for name in NAMED:
        agent = load_agent(name)
        if name != "exact":  # it would solve the duel
            agent.check([duel])
        if isinstance(agent, PreferAgent):
            PreferAgent.check(agent, ours)
            checked.append(name)
    assert {"always_block", "never_defend", "balanced"} <= set(checked)
    with pytest.raises(LensError, match="BLOK"):
        PreferAgent.check(Preset(("BLOK",)), ours)


def test_a_preference_is_the_action_that_is_called_so_or_those_that_begin_with_it() -> None:
    actions = ("ATTACK Ogre", "ATTACK Ogre King", "ATTACK Ogrelet", "RECOVER 1", "RECOVER WEAPON", "#5")
    words = ("attack ogre", "ATTACK Ogre King", "RECOVER", "ATTACK")
    assert ranks(words, actions).tolist() == [0, 1, 3, 2, 2, 4]
    assert ranks(("RECOVER WEAPON", "RECOVER"), actions).tolist() == [2, 2, 2, 1, 0, 2]
