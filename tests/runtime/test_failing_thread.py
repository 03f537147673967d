"""A compute thread that fails in the middle of a step."""

import numpy as np
import pytest

from engine.kernels.cpu import decode


@pytest.mark.parametrize("failing", [0, 1, 2])
@pytest.mark.timeout(60)
def test_does_not_leave_the_others_waiting(tiny_transformer, monkeypatch, failing):
    transformer = tiny_transformer("int8", n_threads=3)
    transformer.decode_step(1)
    step = decode.decode_tokens

    def broken(*arguments):
        if arguments[5] == failing:
            raise MemoryError
        return step(*arguments)

    monkeypatch.setattr(decode, "decode_tokens", broken)
    with pytest.raises(MemoryError):
        transformer.decode_step(2)
    monkeypatch.undo()

    transformer.cache.rewind(0)
    assert np.isfinite(transformer.decode_step(1)).all()
