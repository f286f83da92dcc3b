"""Short sessions of the human disk bandit, and a participant who clicks."""

from sim_hardware.world.body import Body

QUICK = {"session_s": 20, "sessions": 3, "questionnaire_after": 2, "vi_distribution": "fixed"}
SAME = "[5,5,5,5,5,5,5,5]"


async def click(body: Body, name: str, after_s: float = 0.5) -> None:
    """Look for something on the screen, and click in its middle."""
    await body.wait(after_s)
    item = body.scene.item(name)
    assert item is not None, f"there is no {name}, but {[item.name for item in body.scene.items if item.name]}"
    body.peck(item.x_cm, item.y_cm)
