"""Pass@k and Pass^k from n attempts, c of which passed."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def pass_at(k: int, attempts: int, passed: int) -> Fraction:
    """Pass@k: the chance that of k attempts at least one passes, 1 - C(n - c, k) / C(n, k).

    The unbiased estimator of Chen et al., Evaluating Large Language Models Trained on Code, arXiv 2107.03374, eq. 1.
    Raises ValueError unless 1 <= k <= n and 0 <= c <= n.
    """
    _check(k, attempts, passed)
    return 1 - Fraction(comb(attempts - passed, k), comb(attempts, k))


def pass_all(k: int, attempts: int, passed: int) -> Fraction:
    """Pass^k: the chance that of k attempts all pass, C(c, k) / C(n, k).

    Yao et al., τ-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains, arXiv 2406.12045, sec. 3.
    Raises ValueError unless 1 <= k <= n and 0 <= c <= n.
    """
    _check(k, attempts, passed)
    return Fraction(comb(passed, k), comb(attempts, k))


def _check(k: int, attempts: int, passed: int) -> None:
    if not (1 <= k <= attempts and 0 <= passed <= attempts):
        raise ValueError(f"there is no estimate for k = {k} from {attempts} attempts of which {passed} passed")
