"""Playing skirmishes: encounters, one game, batches, replays and narration."""
