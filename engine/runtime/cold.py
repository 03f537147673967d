"""The cold part of a layer's feed-forward: the processor's neurons, computed while the card has the hot ones.

The compiled step does it (`kernels/cpu/decode.py`, feed-forward alone), with as many threads as a whole step; here is
only how a step over both sides asks for it.
"""

from engine.kernels.formats import Float32
from engine.runtime.decoder import Decoder


class ColdFfn:
    """`forward` of whichever layer's neurons; the buffers are the decoder's."""

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder

    def forward(self, layer: int, entering: Float32 | None, *, adds: bool) -> Float32 | None:
        """The sum (t, padded) of the cold neurons, valid until the next part; None if it was stopped.

        Reads the stream after attention in the decoder's `x`. With `adds` that leaves the layer with everything added,
        which is for layers without hot neurons. `entering` is wanted where attention was not computed here and the
        predictor reads what entered the layer.
        """
        if not self._decoder.feed_forward_part(layer, entering=entering, adds=adds):
            return None
        return self._decoder.contributed
