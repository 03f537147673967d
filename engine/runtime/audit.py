"""Does a tier keep its promise while answers are generated? Some tokens are computed exactly as well, and compared.

Owns which tokens those are, when what they show is drift, and what follows; steps.py does the computing. Nothing here
knows why a tier loses anything.

The promise is a mean: the KL of a tier's next-token distribution from the exact one averages at most the tier's limit
over text. Single tokens stray far from it, so that neither one token nor a short mean shows anything. The test is a
bet against the promise (Waudby-Smith and Ramdas, 2024): with m the limit and x a token's KL, a stake of the share f
multiplies by 1 + f (x / m - 1), which in expectation is no gain as long as the promise holds, and grows without bound
when it does not. Before each token one new unit joins the stakes (Shiryaev, 1963; Roberts, 1966), so that drift that
begins late is found as soon as drift at the start. While the promise holds, the stakes after n tokens are n in
expectation at most; therefore at least as many pass on average before the stakes exceed a number as that number says,
however the tokens depend on each other. Divergences far out in the tail count as less than they are, which takes
nothing from that and keeps a single token from deciding.
"""

from dataclasses import dataclass

# One token in so many is audited, by its position in the context: the same answer is audited at the same tokens.
AUDIT_EVERY = 64
# Audits that pass on average until a tier that just keeps its promise is left by mistake; one that keeps it with room
# to spare is left much later.
FALSE_ALARM_AUDITS = 1000
# After so many answers in which a tier drifted it is not used again until the model is loaded anew.
MOST_DRIFTS = 3
# Shares that are staked: large ones find a broken predictor in three audits, small ones a slow drift.
_STAKES = (0.05, 0.2, 0.5)
# A token's KL counts as at most its 99th percentile as calibrated, and no less than so many limits.
_COUNTED_LIMITS = 30.0


@dataclass(frozen=True, slots=True)
class Promise:
    """A tier's name, the mean KL it may cost, and the 99th percentile of single tokens it was calibrated at (nats)."""

    tier: str
    limit: float
    kl_p99: float


class Audit:
    """What a tier was found to lose in the answers since its model was loaded."""

    def __init__(self, promise: Promise) -> None:
        self.promise = promise
        self.n_drifts = 0
        self._counted = max(promise.kl_p99, _COUNTED_LIMITS * promise.limit)
        self._stakes = [0.0] * len(_STAKES)

    @property
    def tier(self) -> str:
        return self.promise.tier

    @property
    def is_withdrawn(self) -> bool:
        """The tier drifted so often that it is not to be used any more."""
        return self.n_drifts >= MOST_DRIFTS

    @property
    def evidence(self) -> float:
        """The stakes' mean; drift is what exceeds FALSE_ALARM_AUDITS."""
        return sum(self._stakes) / len(_STAKES)

    def observe(self, kl: float) -> bool:
        """Take in an audited token's KL. True where it shows, with those before it, that the promise is broken; the
        evidence then begins anew."""
        gain = min(kl, self._counted) / self.promise.limit - 1
        self._stakes = [(1 + stake) * (1 + f * gain) for stake, f in zip(self._stakes, _STAKES, strict=True)]
        if self.evidence < FALSE_ALARM_AUDITS:
            return False
        self.n_drifts += 1
        self._stakes = [0.0] * len(_STAKES)
        return True


def is_audited(position: int) -> bool:
    """Whether the token at this position of the context is."""
    return position % AUDIT_EVERY == AUDIT_EVERY - 1


def tokens_to_audit(position: int) -> int:
    """How many tokens after the one at `position` come up to and with the next audited one; 0 where that is it."""
    return AUDIT_EVERY - 1 - position % AUDIT_EVERY
