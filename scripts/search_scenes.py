"""Pictures of screens of the grid and the risky bandit, in both languages."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from rig.core.journal.scenes import scenes_in
from rig.core.model.scene import Scene, Text
from rig.testing import run_session
from scripts.scenes import FOLDER, png_of

LANGUAGES = ("en", "de")
HORIZON = 40
RED = "#ff4040"
Chosen = Callable[[Scene], bool]


def wanted() -> Iterator[tuple[str, str, str, dict[str, object], Chosen]]:
    """Yield for each picture its name, protocol, virtual participant, parameters, and which scene it shows."""
    for language in LANGUAGES:
        short: dict[str, object] = {"language": language, "rounds": 1, "horizons": [HORIZON]}
        yield f"grid_instructions_{language}", "grid_bandit", "gp_ucb", short, _has_text_of(2)
        for kind in ("smooth", "rough"):
            yield f"grid_{kind}_{language}", "grid_bandit", "gp_ucb", {**short, "environment": kind}, _half
        risky: dict[str, object] = {"language": language}
        yield f"risky_line_lost_{language}", "risky_bandit", "gp_pos", risky, _lost
        yield f"risky_grid_lost_{language}", "risky_bandit_exp2", "gp_pos", risky, _lost


def _has_text_of(page: int) -> Chosen:
    """Return whether a scene is a page of the instructions, counted from 0 with the consent."""
    pages: list[Scene] = []

    def chosen(scene: Scene) -> bool:
        pages.append(scene)
        return len([each for each in pages if each.items]) == page + 1

    return chosen


def _half(scene: Scene) -> bool:
    """Whether half of the clicks are left."""
    clicks = scene.item("clicks")
    return isinstance(clicks, Text) and str(HORIZON // 2) in clicks.text and scene.hover


def _lost(scene: Scene) -> bool:
    """Whether a reward was lost: the message below the tiles is red."""
    said = [item for item in scene.items if isinstance(item, Text) and item.color == RED and not item.name]
    return bool(said) and scene.item("next") is not None


def pages() -> Mapping[Path, bytes]:
    """Draw all pictures."""
    files = {}
    for name, protocol, model, params, chosen in wanted():
        options = {"tau": 0.2} if model == "gp_pos" else {}
        session = run_session(protocol, model, params=params, options=options)
        scene = next(scene for scene in scenes_in(session.journal) if chosen(scene))
        files[FOLDER / f"{name}.png"] = png_of(scene, session.spec.header)
    return files
