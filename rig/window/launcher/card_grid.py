"""The cards of all boxes, as many side by side as the window is wide; the chosen one has the keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from rig.supervisor.box import Box
from rig.supervisor.box_facts import BoxFacts
from rig.window.labels import discard
from rig.window.launcher.card import BoxCard
from rig.window.theme import LIGHT, Theme

NARROWEST_PX = 372
"""The least width of a card: that of six buttons for a glove."""
FEW = 4
"""Most cards that stand in two columns."""

Act = Callable[[BoxCard, str], None]


class CardGrid(QScrollArea):
    """Shows a card for each box; ``act`` does what a key asks of the launcher."""

    def __init__(self, act: Act) -> None:
        super().__init__()
        self.cards: list[BoxCard] = []
        self._act = act
        self._theme = LIGHT
        self._chosen = ""
        inner = QWidget()
        self._grid = QGridLayout(inner)
        self._grid.setContentsMargins(6, 6, 6, 6)
        self._grid.setSpacing(6)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def set_theme(self, theme: Theme) -> None:
        """Set the colors."""
        self._theme = theme
        for card in self.cards:
            card.set_theme(theme)

    def show_boxes(self, boxes: Mapping[str, Box], facts: Mapping[str, BoxFacts]) -> None:
        """Draw the present of all boxes; a box that is another one gets a card of its own."""
        if [card.box for card in self.cards] != list(boxes.values()):
            self._set_cards(boxes)
        for number, card in enumerate(self.cards, 1):
            card.refresh(number, facts.get(card.box.name), is_chosen=card is self.chosen)

    def _set_cards(self, boxes: Mapping[str, Box]) -> None:
        kept = {card.box: card for card in self.cards}
        for card in self.cards:
            if boxes.get(card.box.name) is not card.box:
                discard(self._grid, card)
        self.cards = [kept.get(box) or self._card(box) for box in boxes.values()]
        self._lay_out()

    def _card(self, box: Box) -> BoxCard:
        card = BoxCard(box, self._act, self.choose)
        card.set_theme(self._theme)
        return card

    # --- places -----------------------------------------------------------------------------------------------------

    @property
    def columns(self) -> int:
        """Return how many cards stand side by side."""
        most = 2 if len(self.cards) <= FEW else FEW
        return max(1, min(len(self.cards), most, self.viewport().width() // NARROWEST_PX))

    def _lay_out(self) -> None:
        for card in self.cards:
            self._grid.removeWidget(card)
        for index, card in enumerate(self.cards):
            self._grid.addWidget(card, index // self.columns, index % self.columns)
        self._grid.setRowStretch(len(self.cards), 1)  # below the last card
        for column in range(FEW):
            self._grid.setColumnStretch(column, int(column < self.columns))
        for before, after in zip(self.cards, self.cards[1:], strict=False):
            QWidget.setTabOrder(before, after)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Set the number of columns."""
        super().resizeEvent(event)
        self._lay_out()

    # --- choice -----------------------------------------------------------------------------------------------------

    @property
    def chosen(self) -> BoxCard | None:
        """Return the card that has the keys."""
        return next((card for card in self.cards if card.box.name == self._chosen), next(iter(self.cards), None))

    def choose(self, card: BoxCard) -> None:
        """Set the card that has the keys; it stays where it is, as a finger may be on it."""
        self._chosen = card.box.name

    def _choose_whole(self, card: BoxCard) -> None:
        """Set the card that has the keys, and show it whole."""
        self.choose(card)
        self.ensureWidgetVisible(card)

    def choose_number(self, number: int) -> None:
        """Set the card by its number, from 1 on; another number changes nothing."""
        if 0 < number <= len(self.cards):
            self._choose_whole(self.cards[number - 1])

    def step(self, steps: int) -> None:
        """Move the choice by a number of cards."""
        if self.chosen is not None:
            self._choose_whole(self.cards[(self.cards.index(self.chosen) + steps) % len(self.cards)])
