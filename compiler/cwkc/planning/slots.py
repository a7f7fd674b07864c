"""Slots that close gaps, one after another.

Each takes the scenario that fewest capabilities go with, and capabilities that are thin in it; every other word is the
one that makes most new pairs with those chosen. Generators of covering arrays know neither what is there already nor
quotas, and make as many rows as they need; here the number of rows is given, and the thinnest pairs go first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from attrs import define, field, frozen

from cwkc.planning.quotas import apportion, is_due, order, rounded, shuffled
from cwkc.planning.requirements import NONE, Requirements
from cwkc.planning.tally import Item, Tally, items_of
from cwkc.planning.words import SEVERAL, Words, fitting

WINDOW = 8
"""Among so many words of a shuffled quota a slot chooses: enough to find new pairs, too few to use rare words up."""

SIZES = (1, 2, 2, 3)
"""How many capabilities a slot has, by chance one of these."""

_IN_TURN = ("safety", "deliverable", "category", "persona", "difficulty", "language")
"""The dimensions of one word, in the order in which a slot chooses them behind its scenario."""


@frozen(eq=False)
class Planned:
    """`after` counts the slots with the tasks that were there. `missed`: of each word whose quota could not be met, the
    number of slots that were wanted and that it has."""

    slots: tuple[Words, ...]
    after: Tally
    missed: Mapping[Item, tuple[int, int]]


def plan_slots(wanted: Requirements, before: Tally, slots: int, seed: int) -> Planned:
    """So many slots, the same for a seed. Without quotas of scenarios, capabilities or services, the scenarios and
    capabilities of a shorter plan are those that a longer one begins with."""
    planner = _Planner(wanted, before.copy(), slots, seed)
    drafts = [planner.draft(place) for place in range(slots)]
    planner.tally = before.copy()  # counts the slots anew, with their services
    planned = tuple(planner.with_services(drafts))
    return Planned(planned, planner.tally, _missed(planner.counts, planned))


def _missed(counts: Mapping[str, Mapping[str, int]], slots: Iterable[Words]) -> dict[Item, tuple[int, int]]:
    had = Tally.of(slots).words
    return {
        (dimension, word): (count, had[dimension, word])
        for dimension, quotas in counts.items()
        for word, count in quotas.items()
        if word != NONE and had[dimension, word] != count
    }


@define(eq=False)
class _Planner:
    """`tally`: the tasks that were there, and the slots so far. `counts`: of each word with a quota, how many slots are
    to have it. `queues`: what is left of the quotas of dimensions of one word. `covered`: how many capabilities go with
    a scenario. `spare`: of a service with a quota, how many slots may still be given a word that needs it.
    `reserved`: for the slots that will have a word with a quota, the services that are set aside for it. `pledged`: of
    each draft, the services with quotas that it needs."""

    wanted: Requirements
    tally: Tally
    slots: int
    seed: int
    counts: dict[str, dict[str, int]] = field(init=False)
    queues: dict[str, list[str]] = field(init=False)
    covered: Counter[str] = field(init=False)
    spare: dict[str, int] = field(init=False)
    reserved: dict[Item, list[str]] = field(init=False)
    pledged: list[set[str]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.counts = {
            dimension: {word: rounded(share, self.slots) for word, share in shares.items()}
            if dimension in SEVERAL
            else apportion(shares, self.slots)
            for dimension, shares in self.wanted.shares.items()
        }
        self.queues = {
            dimension: shuffled(counts, self.seed, dimension)
            for dimension, counts in self.counts.items()
            if dimension not in SEVERAL
        }
        scenarios, capabilities = self.wanted.words["scenario"], self.wanted.words["capability"]
        self.covered = Counter(
            scenario for scenario in scenarios for each in capabilities if self.tally.cell(each, scenario)
        )
        self.spare = dict(self.counts.get("service", {}))
        self.reserved = {
            (dimension, word): [self._spend(services) for _ in range(count)]
            for dimension, counts in self.counts.items()
            for word, count in counts.items()
            if (services := self._quotas_spent_on(dimension, word))
        }

    # ------------------------------------------------------------------------ one slot, but for its services

    def draft(self, place: int) -> Words:
        scenario = self._taken("scenario", self._thinnest_scenario())
        capabilities = self._capabilities(place, scenario)
        draft: dict[str, tuple[str, ...]] = {"capability": capabilities, "scenario": (scenario,)}
        for dimension in _IN_TURN:
            word = self._taken(dimension, self._best(dimension, self._offered(dimension), draft))
            draft[dimension] = (word,) if word != NONE else ()
        self.pledged.append(self._pledge(items_of(draft)))
        self.covered[scenario] += sum(not self.tally.cell(each, scenario) for each in capabilities)
        self.tally.add(draft)
        return draft

    def _offered(self, dimension: str) -> Collection[str]:
        queue = self.queues.get(dimension)
        return self.wanted.words[dimension] if queue is None else dict.fromkeys(queue[:WINDOW])

    def _taken(self, dimension: str, word: str) -> str:
        if dimension in self.queues:
            self.queues[dimension].remove(word)
        return word

    def _thinnest_scenario(self) -> str:
        def thinness(scenario: str) -> tuple[bool, int, int, bytes]:
            return self._is_dear("scenario", scenario), self.covered[scenario], *self._rarity("scenario", scenario)

        return min(self._offered("scenario"), key=thinness)

    def _capabilities(self, place: int, scenario: str) -> tuple[str, ...]:
        """Those whose quotas are due, and beside them the thinnest of those that have none."""
        counts = self.counts.get("capability", {})
        phases = {word: int.from_bytes(self._chance("phase", word)[:8]) % self.slots for word in counts}
        due = [word for word, count in counts.items() if is_due(count, self.slots, place, phases[word])]
        size = SIZES[self._chance("size", place)[0] % len(SIZES)]

        def thinness(word: str) -> tuple[bool, int, bool, int, bytes]:
            is_dear, unsuited = self._is_dear("capability", word), not fitting().suits("capability", word, scenario)
            return is_dear, self.tally.cell(word, scenario), unsuited, *self._rarity("capability", word)

        free = sorted((word for word in self.wanted.words["capability"] if word not in counts), key=thinness)
        return (*due, *free[: max(0, size - len(due))])

    def _best(self, dimension: str, candidates: Iterable[str], draft: Words) -> str:
        """The candidate that fits and makes most new pairs; of those that make as many, the rarest."""
        chosen, (scenario,), size = items_of(draft), draft["scenario"], len(draft["capability"])

        def merit(word: str) -> tuple[bool, bool, int, int, bytes]:
            is_dear = self._is_dear(dimension, word)
            if dimension == "difficulty":
                unsuited = size not in fitting().capabilities[word]
            else:
                unsuited = not fitting().suits(dimension, word, scenario)
            return is_dear, unsuited, -self._new_pairs((dimension, word), chosen), *self._rarity(dimension, word)

        return min(candidates, key=merit)

    def _new_pairs(self, item: Item, chosen: Iterable[Item]) -> int:
        return sum(not self.tally.pair(item, other) for other in chosen if other[0] != item[0]) if item[1] else 0

    def _rarity(self, dimension: str, word: str) -> tuple[int, bytes]:
        return self.tally.words[dimension, word], self._chance(dimension, word)

    def _is_dear(self, dimension: str, word: str) -> bool:
        """Whether one more slot with the word would take a service beyond its quota. Of words with quotas, that is
        settled beforehand."""
        quotas = [] if dimension in self.counts else self._quotas_spent_on(dimension, word)
        return bool(quotas) and max(self.spare[service] for service in quotas) <= 0

    def _pledge(self, items: Iterable[Item]) -> set[str]:
        """The services with quotas that a slot with these words needs; words with fewest of them choose first."""
        pledged: set[str] = set()
        for item in sorted(items, key=lambda item: len(self._quotas_spent_on(*item))):
            services, reserved = self._quotas_spent_on(*item), self.reserved.get(item)
            is_met = bool(pledged.intersection(services))
            if reserved and is_met:
                self.spare[reserved.pop()] += 1
            elif services and not is_met:
                pledged.add(reserved.pop() if reserved else self._spend(services))
        return pledged

    def _spend(self, services: Iterable[str]) -> str:
        """One of the services, for one slot: that of which most is to spare."""
        service = max(services, key=self.spare.__getitem__)
        self.spare[service] -= 1
        return service

    def _quotas_spent_on(self, dimension: str, word: str) -> list[str]:
        """The services of which the word needs one, if each of them has a quota."""
        needed = self._needed(dimension, word)
        return needed if all(service in self.spare for service in needed) else []

    def _chance(self, *parts: object) -> bytes:
        return order(self.seed, *parts)

    # ------------------------------------------------------------------------ the services of all slots

    def with_services(self, drafts: Sequence[Words]) -> Iterator[Words]:
        """The slots, with services that their words need, and others that are at home in their scenario."""
        for service, count in self.counts.get("service", {}).items():
            for place in self._best_places(service, drafts)[:count]:
                self.pledged[place].add(service)
        for draft, services in zip(drafts, self.pledged, strict=True):
            slot = {**draft, "service": self._services(draft, services)}
            self.tally.add(slot)
            yield slot

    def _best_places(self, service: str, drafts: Sequence[Words]) -> list[int]:
        """The slots in the order in which a service with a quota is for them: first those that need it."""

        def aptness(place: int) -> tuple[bool, bool, bytes]:
            suits = fitting().suits("service", service, drafts[place]["scenario"][0])
            return service not in self.pledged[place], not suits, self._chance("service", service, place)

        return sorted(range(len(drafts)), key=aptness)

    def _services(self, draft: Words, pledged: Iterable[str]) -> tuple[str, ...]:
        chosen = set(pledged)
        free = set(self.wanted.words["service"]) - self.counts.get("service", {}).keys()
        for needed in self._needs(draft):
            if not chosen.intersection(needed):
                chosen.add(self._best("service", free.intersection(needed), draft))
        fewest = fitting().services[draft["difficulty"][0]]
        while len(chosen) < fewest and free - chosen:
            chosen.add(self._best("service", free - chosen, draft))
        return tuple(sorted(chosen))

    def _needs(self, draft: Words) -> list[list[str]]:
        """For each word that needs one of several services, those of them that are allowed; fewest first."""
        return sorted(filter(None, (self._needed(*item) for item in items_of(draft))), key=len)

    def _needed(self, dimension: str, word: str) -> list[str]:
        allowed = self.wanted.words["service"]
        return [service for service in fitting().needed(dimension, word) if service in allowed]
