"""The picture of firing neurons: what is in it, and that looking costs no more than it may."""

import numpy as np
import pytest

from engine.runtime import neuron_watch
from engine.runtime.neuron_watch import MOST_SHARE, NeuronWatch
from engine.runtime.step_load import NO_LOAD
from tests.runtime.test_hybrid import split, with_card


class Clock:
    """Goes on by what each reading costs."""

    def __init__(self, reading_s=0.0):
        self.now, self._reading_s = 0.0, reading_s

    def __call__(self):
        self.now += self._reading_s
        return self.now


def test_a_bucket_is_the_share_of_its_neurons_that_fired():
    watch = NeuronWatch(2, 10, 3, Clock())
    fired = np.array([[1, 1, 1, 0, 0, 0, 1, 0, 0, 0], [0] * 9 + [1]], np.uint8)

    watch.look(fired, (5, 10), NO_LOAD)

    sample = watch.sample
    assert (sample.n_layers, sample.n_buckets) == (2, 3)
    assert list(sample.fired) == [255, 0, 63, 0, 0, 63]
    assert sample.hot_buckets == (1.5, 3.0)


def test_there_are_no_more_buckets_than_neurons():
    watch = NeuronWatch(1, 4, 64, Clock())

    watch.look(np.array([[1, 0, 0, 1]], np.uint8), (0,), NO_LOAD)

    assert watch.sample.n_buckets == 4
    assert list(watch.sample.fired) == [255, 0, 0, 255]


@pytest.mark.parametrize("look_s", [0.0001, 0.01, 0.3])
def test_samples_take_no_more_than_their_share_of_the_time(look_s):
    clock = Clock()
    watch, n_looks, spent = NeuronWatch(1, 4, 4, clock), 0, 0.0
    for _ in range(60_000):
        clock.now += 0.001
        if watch.is_due:
            clock._reading_s = look_s
            clock.now -= look_s  # the reading at the beginning costs nothing, the one at the end the whole look
            watch.look(np.zeros((1, 4), np.uint8), (0,), NO_LOAD)
            clock._reading_s = 0.0
            n_looks, spent = n_looks + 1, spent + look_s

    assert spent <= MOST_SHARE * clock.now + look_s
    assert n_looks <= clock.now / neuron_watch.SAMPLED_EVERY_S
    assert n_looks >= min(0.9 * clock.now / neuron_watch.SAMPLED_EVERY_S, 0.5 * MOST_SHARE * clock.now / look_s)


@pytest.mark.parametrize("has_card", [False, True])
def test_what_is_seen_is_what_fired(tiny_transformer, monkeypatch, has_card):
    monkeypatch.setattr(neuron_watch, "SAMPLED_EVERY_S", 0.0)
    monkeypatch.setattr(neuron_watch, "MOST_SHARE", 1.0)
    transformer = tiny_transformer("int8", activation="relu")
    if has_card:
        with_card(transformer, split(transformer.config, 35))
    assert transformer.take_sample() is None
    transformer.watch_neurons(transformer.config.n_neurons)
    transformer.counts_neurons = True
    transformer.decode_step(3)

    sample = transformer.take_sample()

    counted = transformer.take_neuron_counts()
    seen = np.frombuffer(sample.fired, np.uint8).reshape(counted.shape)
    assert np.array_equal(seen, 255 * counted)
    assert 0 < counted.sum() < counted.size
    assert sample.hot_buckets == ((35.0,) * 3 if has_card else (0.0,) * 3)
    assert transformer.take_sample() is None
    transformer.watch_neurons(0)
    transformer.decode_step(3)
    assert transformer.take_sample() is None


def test_watching_and_counting_do_not_disturb_each_other(tiny_transformer):
    transformer = tiny_transformer("int8", activation="relu")
    transformer.counts_neurons = True
    transformer.decode_step(3)
    transformer.watch_neurons(8)
    transformer.decode_step(4)
    transformer.watch_neurons(0)

    both = transformer.take_neuron_counts()

    transformer.cache.rewind(0)
    transformer.decode_step(3)
    transformer.decode_step(4)
    assert np.array_equal(transformer.take_neuron_counts(), both)
    transformer.counts_neurons = False
    assert not transformer._decoder.notes_fired
