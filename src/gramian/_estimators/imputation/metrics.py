"""What makes columns comparable while a table is completed: numbers, answers, or both."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np


class Metric(ABC):
    """A factor for each column, and the noise that is taken off the inertia of an axis.

    Tables come in stacks: (b, n, p), with their means (b, p) and weights (b, n) whose sums are 1.
    """

    @abstractmethod
    def factors(self, Y: np.ndarray, mean: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return what multiplies each centred column, (b, p)."""

    @abstractmethod
    def columns(self, p: int) -> int:
        """Return how many of p columns are free."""

    def noise(self, values: np.ndarray, q: int, n: int, p: int) -> np.ndarray:
        """Return σ², (b,), from all eigenvalues, (b, r), of n rows.

        σ² = n·p/min(p, n − 1)·Σ_{k>q} λ_k/((n − 1 − q)(p − q)), p being the free columns.
        """
        p = self.columns(p)
        rest = values[:, q:].sum(axis=1)
        return n * p / min(p, n - 1) * rest / ((n - 1 - q) * (p - q))


@dataclass(frozen=True, eq=False)
class Numbers(Metric):
    """Columns of numbers: divided by their deviations where they are scaled."""

    scale: bool = True

    def factors(self, Y: np.ndarray, mean: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return 1 over the deviation (divisor n), or 1."""
        if not self.scale:
            return np.ones(mean.shape)
        return inverse(np.sqrt(np.einsum("bn,bnp,bnp->bp", w, Y, Y)))

    def columns(self, p: int) -> int:
        """Return all of them."""
        return p


@dataclass(frozen=True, eq=False)
class Answers(Metric):
    """Indicator columns of questions: 1/√(K·p_j), the metric of multiple correspondence."""

    question: np.ndarray  # which question each column belongs to, (p,)

    def factors(self, Y: np.ndarray, mean: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return 1/√(K·p_j), p_j being the share of an answer."""
        return inverse(np.sqrt(self._count * np.maximum(mean, 0.0)))

    @property
    def _count(self) -> int:
        return int(self.question.max()) + 1

    def columns(self, p: int) -> int:
        """Return J − K: the answers of a question sum to 1."""
        return p - self._count

    def noise(self, values: np.ndarray, q: int, n: int, p: int) -> np.ndarray:
        """Return the mean eigenvalue after the first q, of those that are not always 0."""
        r = min(self.columns(p), n - 1)
        return values[:, q:r].mean(axis=1)


@dataclass(frozen=True, eq=False)
class Mixture(Metric):
    """Numbers and indicator columns, every variable with a first inertia of 1.

    The block of a question is divided by its own first singular value: that is 1 as long as its
    answers are known, and less where some are filled in by shares.
    """

    question: np.ndarray  # which question each column belongs to, −1 for a number, (p,)

    def factors(self, Y: np.ndarray, mean: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return 1/deviation, or 1/(√p_j·s₁) with s₁ the first singular value of the question."""
        share = inverse(np.sqrt(np.maximum(mean, 0.0)))
        out = np.where(self.question >= 0, share, Numbers().factors(Y, mean, w))
        return _balance(out, self.question, Y, w)

    def columns(self, p: int) -> int:
        """Return the numbers, and all answers of a question but one."""
        return p - (int(self.question.max()) + 1)


@dataclass(frozen=True, eq=False)
class Groups(Metric):
    """Groups of columns, each with a first inertia of 1, as multiple factor analysis has them.

    Columns that are in no group have no part.
    """

    question: np.ndarray  # which question each column belongs to, −1 for a number, (p,)
    member: np.ndarray  # the group of each column, −1 for none, (p,)
    centered: np.ndarray  # which columns are not scaled, (p,)

    def factors(self, Y: np.ndarray, mean: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Return 1/deviation or 1/√p_j over the first singular value of the group."""
        out = np.where(self.centered, 1.0, Numbers().factors(Y, mean, w))
        share = inverse(np.sqrt(np.maximum(mean, 0.0)))
        out = np.where(self.question >= 0, share, out) * (self.member >= 0)
        return _balance(out, self.member, Y, w)

    def columns(self, p: int) -> int:
        """Return the numbers that are in a group, and all answers of a question but one."""
        own = self.member >= 0
        questions = np.unique(self.question[own & (self.question >= 0)])
        return int(np.count_nonzero(own)) - len(questions)


def _balance(out: np.ndarray, member: np.ndarray, Y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Divide the factors of each block of columns by the first singular value of the block."""
    for g in range(int(member.max()) + 1):
        own = member == g
        block = Y[:, :, own] * out[:, None, own] * np.sqrt(w)[:, :, None]
        first = np.linalg.eigvalsh(block.transpose(0, 2, 1) @ block)[:, -1]
        out[:, own] *= inverse(np.sqrt(np.maximum(first, 0.0)))[:, None]
    return out


def inverse(x: np.ndarray) -> np.ndarray:
    """Return 1/x, and 0 where x is 0: a constant column makes no axis."""
    return np.divide(1.0, x, out=np.zeros_like(x), where=x > 0)


def metric_of(question: np.ndarray, *, scale: bool) -> Metric:
    """Return the metric of columns that belong to these questions, −1 for numbers."""
    if (question < 0).all():
        return Numbers(scale)
    return Answers(question) if (question >= 0).all() else Mixture(question)
