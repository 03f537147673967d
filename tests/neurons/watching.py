"""A tap that keeps all it is shown, window by window, and sums of it worked out the slow way."""

import numpy as np


class Recorder:
    """first and product by layer: a list of arrays (t, n), one for each window."""

    def __init__(self):
        self.first, self.product = {}, {}

    def attended(self, layer, heads):
        """Heads are not kept."""

    def neurons(self, layer, view):
        self.first.setdefault(layer, []).append(view.first.copy())
        self.product.setdefault(layer, []).append(view.product.copy())


def record(transformer, windows):
    recorder = Recorder()
    for window in windows:
        transformer.observe(window.tokens, recorder)
    return recorder


def slowly_active(product, is_sparse):
    """(t, n): as `active_neurons`, token by token and product by product."""
    if is_sparse:
        return product != 0
    active = np.zeros(product.shape, bool)
    for token, values in enumerate(product.astype(np.float64)):
        total, carried = (values**2).sum(), 0.0
        for neuron in np.argsort(-np.abs(values)):
            if carried >= 0.95 * total:
                break
            active[token, neuron] = True
            carried += values[neuron] ** 2
    return active
