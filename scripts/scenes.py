"""Draw the scenes of sessions as PNG files, one per scene of a journal, in the size of the monitor.

python -m scripts.scenes FOLDER SESSION...     FOLDER/, from these sessions

`make pages` draws docs/scenes/, from a session of every shipped protocol with a screen.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from rig.cli.main import main as rig
from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.core.journal.scenes import scenes_in
from rig.core.model.scene import Button, Scene, Text
from rig.devices import ScreenConfig
from rig.records.journal.read import of_kind, read_journal
from rig.session.spec.build import spec_from_file
from rig.session.spec.request import SessionRequest
from scripts.pictures import application, png

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "scenes"
QUICK = {
    "grid_bandit": ["gp_ucb", "params.rounds=1"],
    "risky_bandit": ["gp_pos", "params.rounds=1"],
    "risky_bandit_exp2": ["gp_pos", "params.rounds=2"],
    "disk_bandit_human": ["human", "params.sessions=2", "params.session_s=10", "params.questionnaire_after=1"],
}
"""Model and changed values of a protocol, so that a short session shows every scene."""
USUAL = ("random_explorer", "stop.session_s=300")


def unlike(scenes: Sequence[Scene]) -> list[Scene]:
    """Return the scenes without near duplicates: of scenes that differ only in counters or typed text, the last."""

    def looks(scene: Scene) -> tuple[object, ...]:
        texts = [item for item in scene.items if isinstance(item, Text)]
        said = [item.text for item in (*texts[:1], *scene.items) if isinstance(item, Button) or item in texts[:1]]
        drawn = [(item.kind, item.name, item.x_cm, item.y_cm, getattr(item, "color", "")) for item in scene.items]
        return (*said, *drawn)

    return list({looks(scene): scene for scene in scenes}.values())


def png_of(scene: Scene, header: Header) -> bytes:
    """Draw a scene of a session with this header, in the size of its monitor."""
    application()
    from rig.screen.paint import picture

    return png(picture(scene, ScreenConfig.model_validate(header.rig.screen).spec()))


def pictures(session: Path) -> list[bytes]:
    """Draw the scenes of a session, without empty ones and near duplicates."""
    lines = read_journal(session)
    header = next(of_kind(lines, Header))
    return [png_of(scene, header) for scene in unlike([scene for scene in scenes_in(lines) if scene.items])]


def rehearsals(data: Path) -> Iterator[tuple[str, Path]]:
    """Run a simulated session of every shipped protocol with a screen; yield its name and the session's folder."""
    for file in sorted((ROOT / "configs" / "protocols").glob("*.yaml")):
        try:
            has_screen = spec_from_file(file, SessionRequest()).plan.screen is not None
        except ConfigError:  # a base file for ``extends``, incomplete alone
            continue
        if has_screen:
            model, *sets = QUICK.get(file.stem, USUAL)
            words = ("--model", model, "--seed", "1", "--start", "2026-11-21T09:00", "--data", str(data))
            rig(["sim", str(file), *words, "--subject", file.stem, *chain.from_iterable(("--set", it) for it in sets)])
            yield file.stem, data / "sim" / file.stem / "2026-11-21" / "001"


def pages() -> Mapping[Path, bytes]:
    """Draw the scenes of all shipped protocols with a screen."""
    with TemporaryDirectory() as data:
        return {
            FOLDER / f"{name}_{number}.png": picture
            for name, session in rehearsals(Path(data))
            for number, picture in enumerate(pictures(session), start=1)
        }


def main(words: list[str]) -> int:
    """Draw the scenes of sessions into a folder."""
    folder, *sessions = map(Path, words)
    folder.mkdir(parents=True, exist_ok=True)
    for session in sessions:
        for number, picture in enumerate(pictures(session), start=1):
            (folder / f"{session.parts[-3]}_{session.name}_{number}.png").write_bytes(picture)
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("python -m scripts.scenes FOLDER SESSION...")
    sys.exit(main(sys.argv[1:]))
