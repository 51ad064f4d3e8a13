"""Environments: the skirmish under the interfaces of Gymnasium, stable-baselines3 and PettingZoo."""

from __future__ import annotations
