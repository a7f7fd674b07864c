"""What distillation can be told."""

from __future__ import annotations

from attrs import frozen

from cwktrain.onpolicy.options import OnPolicyOptions, require

DIVERGENCES = ("forward", "reverse")


@frozen(kw_only=True)
class DistillationOptions(OnPolicyOptions):
    """`divergence`, over the whole vocabulary, at each token that the student wrote: `forward`, KL(teacher || student),
    which covers all that the teacher might say; `reverse`, KL(student || teacher), keeps to what it would say.
    `temperature` divides the logits of both, as it does where the student writes."""

    divergence: str = "reverse"

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        known = " or ".join(f"`{each}`" for each in DIVERGENCES)
        require(self.divergence in DIVERGENCES, f"`divergence` is {known}; got `{self.divergence}`")

    @property
    def beta(self) -> float:
        """TRL's name for it: where between the two divergences it stands."""
        return 1.0 if self.divergence == "reverse" else 0.0
