"""The contents of a screen: a scene, in centimeters, as a value.

The origin is the lower left corner of the picture; x grows to the right and y upward. Only this module decides which
item a point is on: the window, the simulator, the journal and the protocol use the same scene.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

Color = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$", description="a color: '#', then red, green, blue in hex")]
Length = Annotated[float, Field(gt=0, le=1000)]
# -0.0 becomes 0.0: equal scenes must have equal texts.
Place = Annotated[float, Field(ge=-1000, le=1000), AfterValidator(lambda value: value + 0.0)]

BLACK, WHITE = "#000000", "#ffffff"
MAX_POINTS = 2000
"""More points than a screen has columns make no finer line."""


class _Named(BaseModel):
    """An item of a scene; ``name`` is what a touch on it reports, and an item without a name cannot be touched."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    name: str = ""


class _Item(_Named):
    """An item at a place."""

    x_cm: Place
    y_cm: Place


class _Box(_Item):
    """An item that fills a rectangle; its position is its middle."""

    width_cm: Length
    height_cm: Length

    def outside_cm(self, x_cm: float, y_cm: float) -> float:
        """Return the distance of a point from the rectangle; 0 on its edge and inside."""
        aside = max(abs(x_cm - self.x_cm) - self.width_cm / 2, 0.0)
        above = max(abs(y_cm - self.y_cm) - self.height_cm / 2, 0.0)
        return math.hypot(aside, above)


class _Round(_Item):
    """A filled circle; its position is its center."""

    diameter_cm: Length
    color: Color

    def outside_cm(self, x_cm: float, y_cm: float) -> float:
        """Return the distance of a point from the circle; 0 on its edge and inside."""
        return max(math.hypot(x_cm - self.x_cm, y_cm - self.y_cm) - self.diameter_cm / 2, 0.0)


class Disk(_Round):
    """A filled circle; its position is its center."""

    kind: Literal["disk"] = "disk"


class Dot(_Round):
    """A small filled circle, such as a point of a plot, with an optional short text beside it.

    Only the circle can be touched. The text is centered over it or under it; ``text_cm`` is the height of its letters.
    """

    kind: Literal["dot"] = "dot"
    diameter_cm: Length = 0.25
    color: Color = WHITE
    text: str = ""
    text_color: Color = WHITE
    text_cm: Length = 0.4
    text_side: Literal["above", "below"] = "above"


class Line(_Named):
    """Points joined by straight lines, such as a threshold, a function or an axis; a touch is on the drawn line."""

    kind: Literal["line"] = "line"
    points: tuple[tuple[Place, Place], ...] = Field(min_length=2, max_length=MAX_POINTS)
    color: Color = WHITE
    width_cm: Length = 0.05

    @property
    def x_cm(self) -> float:
        """Return the x of the middle of the first piece."""
        return (self.points[0][0] + self.points[1][0]) / 2

    @property
    def y_cm(self) -> float:
        """Return the y of the middle of the first piece."""
        return (self.points[0][1] + self.points[1][1]) / 2

    def outside_cm(self, x_cm: float, y_cm: float) -> float:
        """Return the distance of a point from the drawn line; 0 on its edge and inside."""
        pieces = pairwise(self.points)
        return max(min(_distance(x_cm, y_cm, start, end) for start, end in pieces) - self.width_cm / 2, 0.0)


def _distance(x_cm: float, y_cm: float, start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return the distance of a point from a piece of a straight line."""
    (x0, y0), (x1, y1) = start, end
    across, up = x1 - x0, y1 - y0
    length = math.hypot(across, up)
    # The hypotenuse first: the square of a denormal length is 0.
    along = ((x_cm - x0) * (across / length) + (y_cm - y0) * (up / length)) / length if length else 0.0
    part = min(max(along, 0.0), 1.0)
    return math.hypot(x_cm - (x0 + part * across), y_cm - (y0 + part * up))


class Tile(_Box):
    """A filled rectangle with an optional border and a short text."""

    kind: Literal["tile"] = "tile"
    color: Color
    border: Color | None = None
    text: str = ""
    text_color: Color = BLACK
    text_cm: Length = 0.5


class Text(_Box):
    """Text in a rectangle, broken into lines that fit; ``text_cm`` is the height of its letters."""

    kind: Literal["text"] = "text"
    text: str
    color: Color = WHITE
    text_cm: Length = 0.5
    align: Literal["left", "center"] = "center"


class Button(_Box):
    """A rectangle with a text, which a person can press."""

    kind: Literal["button"] = "button"
    text: str
    color: Color = "#c0c0c0"
    text_color: Color = BLACK
    text_cm: Length = 0.5


class Image(_Box):
    """A picture that fits into its rectangle; a relative ``file`` begins in the folder in which ``rig`` is started."""

    kind: Literal["image"] = "image"
    file: str = Field(min_length=1)


Item: TypeAlias = Disk | Dot | Line | Tile | Text | Button | Image
SceneItem = Annotated[Item, Field(discriminator="kind")]


class Hit(NamedTuple):
    """The item at a point, or near it."""

    item: Item
    in_margin: bool


class Scene(BaseModel):
    """All items shown at one time; a later item covers an earlier one.

    A point within ``hit_margin_cm`` of an item counts as on it; of several the nearest wins. With ``hover`` the screen
    reports which item the pointer is over.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    items: tuple[SceneItem, ...] = ()
    background: Color = BLACK
    hit_margin_cm: float = Field(default=0.0, ge=0, le=10)
    hover: bool = False

    @field_validator("items")
    @classmethod
    def _names_differ(cls, items: tuple[Item, ...]) -> tuple[Item, ...]:
        counts = Counter(item.name for item in items if item.name)
        twice = sorted(name for name, count in counts.items() if count > 1)
        if twice:
            raise ValueError(f"two items are called {twice[0]!r}: a touch on one could not be told from the other")
        return items

    def hit(self, x_cm: float, y_cm: float) -> Hit | None:
        """Return the item at a point; None beside all items that have a name."""
        nearest: Item | None = None
        least_cm = math.inf
        for item in reversed(self.items):  # what is on top first
            outside_cm = item.outside_cm(x_cm, y_cm) if item.name else math.inf
            # Exactly 0.0: items clamp their distance, so no rounding error turns a hit into a margin.
            if outside_cm == 0.0:
                return Hit(item, in_margin=False)
            # Strictly less: of items at the same distance the upper one, which came first, stays.
            if outside_cm < least_cm:
                nearest, least_cm = item, outside_cm
        return Hit(nearest, in_margin=True) if nearest is not None and least_cm <= self.hit_margin_cm else None

    def hovered(self, x_cm: float, y_cm: float) -> str:
        """Return the name of the item to report under a pointer; empty beside all items, and without ``hover``."""
        hit = self.hit(x_cm, y_cm) if self.hover else None
        return "" if hit is None else hit.item.name

    def item(self, name: str) -> Item | None:
        """Return an item by its name; None when there is none."""
        return next((item for item in self.items if item.name == name), None) if name else None

    def __hash__(self) -> int:
        return hash(self.id)

    @cached_property
    def text(self) -> str:
        """Return the scene as JSON; equal scenes have equal text."""
        return self.model_dump_json(exclude_defaults=False)

    # A short hash: the journal names a scene with every change of the screen.
    @cached_property
    def id(self) -> str:
        """Return the scene's name in the journal; equal scenes have equal ids."""
        return hashlib.blake2s(self.text.encode(), digest_size=6).hexdigest()

    @classmethod
    def of(cls, text: str | bytes) -> Scene:
        """Read a scene from its JSON. Raises ``ValueError``."""
        return cls.model_validate_json(text)


DARK = Scene()
"""An empty black scene, shown before the first scene and after the last."""
