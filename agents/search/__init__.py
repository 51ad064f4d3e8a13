"""Agents that look ahead: by exact expectation to some depth, or by Monte Carlo tree search."""
