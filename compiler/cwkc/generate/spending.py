"""What models cost: tokens, and money where their price is given."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from threading import Lock

from attrs import evolve, frozen

from cwkc.models import Completion


class Stopped(Exception):
    """No further request is begun; the message says why."""


@frozen
class Price:
    """Dollars for a million tokens: read, written, and read from the provider's cache."""

    read: Fraction
    written: Fraction
    cached: Fraction


@frozen
class Spent:
    """`unknown`: completions of which the server did not say how many tokens they took."""

    completions: int = 0
    read: int = 0
    cached: int = 0
    written: int = 0
    unknown: int = 0

    def with_one(self, completion: Completion) -> Spent:
        if completion.tokens_read is None or completion.tokens_written is None:
            return evolve(self, completions=self.completions + 1, unknown=self.unknown + 1)
        return evolve(
            self,
            completions=self.completions + 1,
            read=self.read + completion.tokens_read,
            cached=self.cached + completion.tokens_cached,
            written=self.written + completion.tokens_written,
        )

    @property
    def tokens(self) -> int:
        return self.read + self.written

    def cost(self, price: Price) -> Fraction:
        """In dollars. `read` has the tokens from the cache among it."""
        fresh = self.read - self.cached
        return (fresh * price.read + self.cached * price.cached + self.written * price.written) / 1_000_000

    def words(self, price: Price | None) -> str:
        """For people."""
        parts = [f"{self.completions:,} completions", f"{self.read:,} tokens read", f"{self.written:,} written"]
        if self.unknown:
            parts.append(f"{self.unknown:,} completions without a count")
        if price is not None:
            parts.append(f"${float(self.cost(price)):,.2f}")
        return ", ".join(parts)


@frozen
class Budget:
    """The most that may be spent; None where there is no limit. `dollars` goes with `price`."""

    tokens: int | None = None
    dollars: Fraction | None = None
    price: Price | None = None


class Spending:
    """What is spent by several threads, and whether more may be."""

    def __init__(self, budget: Budget, before: Iterable[Completion]) -> None:
        self.budget = budget
        self._lock = Lock()
        self._spent = Spent()
        self._stopped = ""
        for completion in before:
            self._spent = self._spent.with_one(completion)

    @property
    def spent(self) -> Spent:
        return self._spent

    def add(self, completion: Completion) -> None:
        with self._lock:
            self._spent = self._spent.with_one(completion)

    def stop(self, why: str) -> None:
        """From here on nothing is begun."""
        self._stopped = self._stopped or why

    def allow(self) -> None:
        """Raises Stopped where no further request may be begun. One that is under way is not counted yet, so that a
        budget may be exceeded by those that run beside one another."""
        if self._stopped:
            raise Stopped(self._stopped)
        budget, spent = self.budget, self._spent
        limited = budget.tokens is not None or budget.dollars is not None
        if limited and spent.unknown:
            raise Stopped("the server does not say how many tokens an answer takes, so that no budget can be kept")
        if budget.tokens is not None and spent.tokens >= budget.tokens:
            raise Stopped(f"the budget of {budget.tokens:,} tokens is spent")
        if budget.dollars is not None and budget.price is not None and spent.cost(budget.price) >= budget.dollars:
            raise Stopped(f"the budget of ${float(budget.dollars):,.2f} is spent")
