"""What a participant has earned: the bonus of each round, and the payment."""

from __future__ import annotations


class Earnings:
    """Bonuses of the rounds that are over; together they are at most ``most``."""

    def __init__(self, show_up_pay: float, most: float) -> None:
        self._show_up_pay, self._most = show_up_pay, most
        self.bonuses: list[float] = []
        self.points = 0.0

    @property
    def bonus(self) -> float:
        """Return the bonus of all rounds that are over."""
        return round(sum(self.bonuses), 4)

    @property
    def payment(self) -> float:
        """Return what is paid, to the cent."""
        return round(self._show_up_pay + self.bonus, 2)

    @property
    def pays(self) -> bool:
        """Whether anything is paid in this study."""
        return self._show_up_pay > 0 or self._most > 0

    def capped(self, bonus: float) -> float:
        """Return what a round may earn of a bonus: nothing negative, and no more than is left."""
        return round(min(max(bonus, 0.0), self._most - self.bonus), 4)

    def add(self, bonus: float, points: float) -> None:
        """Add a round that is over."""
        self.bonuses.append(bonus)
        self.points += points
