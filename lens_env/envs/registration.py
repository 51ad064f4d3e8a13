"""The ids under which Gymnasium makes the environments. Imports neither a compiler nor a ruleset."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

IDS = {
    "the_lens": "lens_env/TheLens-v0",
    "lamashtu": "lens_env/Lamashtu-v0",
    "norova": "lens_env/NorOva-v0",
}


def register_all() -> None:
    """Register every id that is not yet."""
    for ruleset, name in IDS.items():
        if name not in registry:
            register(
                name,
                entry_point="lens_env.envs.single:LensEnv",
                vector_entry_point="lens_env.envs.vector:LensVectorEnv",
                kwargs={"ruleset": ruleset},
            )
