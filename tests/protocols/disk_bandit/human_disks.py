"""Short sessions of the human disk bandit, and a participant who clicks: as a coroutine, and as moves of a script."""

from rig.core.model.scene import Item
from sim_hardware.world.body import Body
from tests.session_scripts import Script

QUICK = {"session_s": 20, "sessions": 3, "questionnaire_after": 2, "vi_distribution": "fixed"}
SAME = "[5,5,5,5,5,5,5,5]"
FIRST_PAGES = ("agree", "next", "next", "disk0", "box")


def item_of(body: Body, name: str) -> Item:
    """Return something on the screen."""
    item = body.scene.item(name)
    assert item is not None, f"there is no {name}, but {[item.name for item in body.scene.items if item.name]}"
    return item


def click_on(body: Body, name: str) -> None:
    """Click in the middle of something on the screen."""
    item = item_of(body, name)
    body.peck(item.x_cm, item.y_cm)


async def click(body: Body, name: str, after_s: float = 0.5) -> None:
    """Wait, and click in the middle of something on the screen."""
    await body.wait(after_s)
    click_on(body, name)


def click_at(at_s: float, *names: str) -> Script:
    """Click on things, half a second apart."""
    return [(at_s + 0.5 * number, lambda body, name=name: click_on(body, name)) for number, name in enumerate(names)]


def double_click(at_s: float, *names: str) -> Script:
    """Click twice at the same place, as many do on everything; a second apart."""
    items: dict[str, Item] = {}

    def first(body: Body, name: str) -> None:
        items[name] = item_of(body, name)
        click_on(body, name)

    def again(body: Body, name: str) -> None:
        body.peck(items[name].x_cm, items[name].y_cm)

    script: Script = []
    for number, name in enumerate(names):
        script.append((at_s + number, lambda body, name=name: first(body, name)))
        script.append((at_s + number + 0.2, lambda body, name=name: again(body, name)))
    return script


def write(at_s: float, *keys: str) -> Script:
    """Press keys, at once."""
    return [(at_s, lambda body, key=key: body.type(key)) for key in keys]


def begin(at_s: float) -> Script:
    """Go as far as the page before the first session; it takes two seconds."""
    return click_at(at_s, *FIRST_PAGES)


def answers(at_s: float) -> Script:
    """Answer four questions, one a second."""
    script: Script = []
    for number in range(4):
        script += [*write(at_s + number, "a", str(number)), *click_at(at_s + number + 0.5, "next")]
    return script


def whole(at_s: float) -> Script:
    """Take part from the first page to the last, in 71 s."""
    script = begin(0.5)
    for begun_s in (3.0, 24.5, 50.0):
        script += [*click_at(begun_s, "next"), *click_at(begun_s + 6, "disk3", "box", "disk3")]
    script += [*answers(46.0), *click_at(71.5, "finish")]
    return [(at_s + after_s, act) for after_s, act in script]
