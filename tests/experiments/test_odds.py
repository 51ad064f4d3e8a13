from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.odds import WORDS, odds, rounded
from lens_env import Game, Scripted, load_encounter


@given(st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=40))
def test_rounded_shares_sum_to_a_hundred_per_cent(chances: list[float]) -> None:
    shares = rounded(chances)
    assert sum(shares) == 1000
    for share, chance in zip(shares, chances, strict=True):
        assert abs(share - 1000 * chance / sum(chances)) < 1.0001


def test_the_odds_of_a_block_are_those_of_its_dice(folder: Path) -> None:
    game = Game(load_encounter("duel.yaml"), seed=1)
    while game.window != "DEFEND":
        game.play("END TURN" if game.window == "ACT" and game.side == "party" else game.legal()[-1])
    found = odds(game, "BLOCK")
    # d8, d6, d4 against 4: BOTCH 14.1 %, SACRIFICE 42.2 %, SUCCESS 35.9 %, TRIUMPH 7.8 %
    assert sorted(share for share, _ in found.lines) == [7.8, 14.1, 35.9, 42.2]
    assert dict(found.means)["Kara"] == pytest.approx(9 / 64 * 7.5)
    texts = dict(found.lines)
    assert "next Kara: DEFENSE_SACRIFICE" in texts[42.2]
    assert "Kara -3 to 12 BODY (mean 7.5)" in texts[14.1]


def test_the_odds_speak_in_words(folder: Path) -> None:
    """Who is Off-Balance or Fluid chooses its time; the game's own name for that is no word."""
    game = Game(load_encounter("duel.yaml"), dice=Scripted(["SACRIFICE"]))
    assert game.window == "TIMING"
    texts = " ".join(text for _, text in odds(game, "AFTER").lines)
    assert "acts after the foes" in texts and "later" not in texts


def test_every_number_of_a_fighter_that_is_told_otherwise_exists(folder: Path) -> None:
    fighter = Game(load_encounter("duel.yaml")).state_dict()["fighters"]["Kara"]
    assert set(WORDS) <= set(fighter)
