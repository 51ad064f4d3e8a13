"""Agents that learned to play: training, saved policies, and the agents that play them."""
