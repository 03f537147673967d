"""The hot part of a layer's feed-forward: launched on the card, which computes it while the processor does the rest.

Owns the order of the launches; they are put on the card's stream and nothing is waited for. Exact without scores: the
first product of all hot neurons, then only those that the activation left alive. With scores, which stand on the card
already, those above zero take the place of all.
"""

from dataclasses import dataclass

from engine.kernels.cuda.device import CardArray
from engine.kernels.cuda.ops import rounds
from engine.runtime.card_model import CardModel, NeuronBundle


@dataclass(frozen=True, slots=True, eq=False)
class HotChoice:
    """What a tier says of a layer, and where counts go.

    least      the smallest activation that keeps a neuron, where it is positive at all
    scores     (t, n_hot) on the card, of a predictor; None without one
    counts     (COUNTED, TILE_TOKENS) int32 on the card: candidates (written only with scores), alive, active
    fired      (t, n_hot) bytes on the card, 1 where a neuron is active; None where nobody asks
    of_prompt  whether activations and rows are rounded as the processor rounds those of a prompt
    """

    least: float
    counts: CardArray
    scores: CardArray | None = None
    fired: CardArray | None = None
    of_prompt: bool = False


class HotFfn:
    """`forward` of whichever layer's neurons; the buffers are the model's."""

    def __init__(self, model: CardModel) -> None:
        self._model = model
        self._first_format = (
            model.parts.of("gate") if model.config.is_gated else model.parts.of_up(model.config)
        )  # fmt: skip

    def forward(self, neurons: NeuronBundle, normed: CardArray, out: CardArray, choice: HotChoice) -> None:
        """normed (t, padded) → out (t, padded): the sum of the hot neurons alone, without residual and down bias."""
        model, ops, c = self._model, self._model.ops, self._model.config
        t, n, d = len(normed), neurons.n_hot, c.width
        acts, lists = model.neuron_rows("acts", t, n), model.neuron_rows("lists", t, n)
        candidates, alive, active = (choice.counts[which, :t] for which in range(3))
        first, first_bias = neurons.rows(c.first), neurons.rows("first_bias")
        rounded = model.rounded(normed, self._first_format, of_prompt=choice.of_prompt)
        if choice.scores is None:
            ops.matvec(first, self._first_format, d, rounded, acts, first_bias, of_prompt=choice.of_prompt)
            ops.alive(acts, n, choice.least, c.activation, lists, alive)
        else:
            ops.candidates(choice.scores, lists, candidates)
            ops.matvec_listed(first, self._first_format, d, rounded, lists, candidates, acts, first_bias)
            ops.copy(candidates, alive)
            ops.alive(acts, None, choice.least, c.activation, lists, alive)
        ups = None
        if c.is_gated:
            ups = model.neuron_rows("ups", t, n)
            up_format, up_bias = model.parts.of_up(c), neurons.rows("up_bias")
            if up_format is not self._first_format:
                rounded = model.rounded(normed, up_format, of_prompt=choice.of_prompt)
            ops.matvec_listed(
                neurons.rows("up"), up_format, d, rounded, lists, alive, ups, up_bias, of_prompt=choice.of_prompt
            )
        ops.finish_acts(acts, ups, alive, c.activation, active)
        if choice.fired is not None:
            ops.fired(lists, acts, alive, choice.fired)
        down, down_format = neurons.rows("down"), model.parts.of("down")
        if choice.of_prompt and rounds(down_format):
            ops.round_prompt_acts(acts, lists, alive, down, down_format, d)
        ops.accumulate_down(acts, lists, alive, down, down_format, d, out, of_prompt=choice.of_prompt)
