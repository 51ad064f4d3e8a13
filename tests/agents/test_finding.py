from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from agents import Agent, known, list_agents, load_agent, module_of
from agents.scripted.random import RandomAgent
from lens_env import Encounter
from lens_env.errors import LensError

NAMED = [name for name in list_agents() if name != "prefer"]


def test_the_promised_agents_are_there() -> None:
    promised = {"random", "prefer", "aggressive", "balanced", "never_defend"}
    promised |= {f"always_{defense}" for defense in ("block", "dodge", "parry", "mitigate")}
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
    assert one.preferences == two.preferences == ("BLOCK", "ATTACK")  # type: ignore[attr-defined]
    assert module_of({"agent": "prefer"}) == "agents.scripted.prefer"


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
        ({"agent": "prefer", "preferences": "BLOCK"}, "a list of 1 to 200"),
        ({"agent": "prefer", "preferences": ["BLOCK"], "reserve": -1}, "reserve: a whole number"),
        ({"agent": "random", "luck": 1}, "its settings do not fit: .*luck"),
        ("random:BLOCK", "its settings do not fit"),
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
    for name in NAMED:
        load_agent(name).check([duel])
