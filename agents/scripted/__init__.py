"""Agents that follow a written rule."""
