"""The planner against every plan there is, against an integer solver, and by its laws."""

import itertools
import time
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array

from engine.errors import InvalidRequest, OutOfMemory
from engine.placement.budget import LayerBytes, ModelBytes, plan_bytes
from engine.placement.cost import LayerWork, Speeds, StepWork, hot_share, step_seconds
from engine.placement.plan import LayerPlacement, PlacementPlan, hottest_first
from engine.placement.planner import (
    BASELINES,
    BY_LAYER,
    CARD_ONLY,
    CPU_ONLY,
    DENSE_ON_CARD,
    DENSE_ON_CPU,
    MOST_GROUPS,
    WHOLE_LAYERS,
    Strategy,
    fastest,
    neurons_in_group,
    plan_curve,
)
from tests.placement.placement_models import DESKTOP, model_of_size, models, speeds

STRATEGIES = (DENSE_ON_CARD, DENSE_ON_CPU, BY_LAYER, *BASELINES)
ROUNDING = 1e-9  # of float64 sums in another order
# A charge is worth some groups of `model_of_size` at width 512, as for a large model: layers are hot, cold and split.
SLOW_TO_CROSS = Speeds(4e9, 3e9, 40e9, 30e9, 2e-6, 4e-6, 2e-6, 1e-5)


def seconds_by_hand(work: StepWork, machine: Speeds, plan: PlacementPlan) -> float:
    """A token's walk through the parts, written without the planner's formulae."""
    total, here = machine.token, "cpu"

    def go(there: str) -> None:
        nonlocal total, here
        if here != there:
            total += machine.crossing
        here = there

    def read_whole(n_bytes: float, on_card: bool) -> None:
        nonlocal total
        go("card" if on_card else "cpu")
        total += machine.launch + n_bytes / machine.card_dense_rate if on_card else n_bytes / machine.cpu_dense_rate

    for layer, place in zip(work.layers, plan.layers, strict=True):
        read_whole(layer.dense, place.attention_on_card)
        hot, cold = sum(layer.neurons[: place.n_hot]), sum(layer.neurons[place.n_hot :])
        card, cpu = machine.launch + hot / machine.card_rows_rate, cold / machine.cpu_rows_rate
        if place.n_hot == 0:
            go("cpu")
            total += cpu
        elif place.n_hot == place.n_neurons:
            go("card")
            total += card
        else:
            total += max(card, cpu) + 2 * machine.crossing + machine.join
    read_whole(work.head, plan.head_on_card)
    go("cpu")
    return total


def every_plan(model: ModelBytes, strategy: Strategy, group: int) -> Iterator[PlacementPlan]:
    def places(layer: LayerBytes) -> list[LayerPlacement]:
        n = layer.n_neurons
        if strategy.neurons_follow_attention:
            return [LayerPlacement(on_card, n if on_card else 0, n) for on_card in strategy.attention]
        counts = sorted({*range(0, n, group), n})
        return [LayerPlacement(on_card, count, n) for on_card in strategy.attention for count in counts]

    for head in strategy.attention:
        for chosen in itertools.product(*map(places, model.layers)):
            yield PlacementPlan(strategy.name, chosen, head, 0.0)


def n_bytes(model: ModelBytes, plan: PlacementPlan) -> int:
    return sum(size for _, size in plan_bytes(model, plan))


def budgets_of(model: ModelBytes) -> st.SearchStrategy[int]:
    return st.integers(0, model.total + 10)


# Exactness --------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(models(), speeds(), st.sampled_from(STRATEGIES), st.integers(1, 3), st.data())
def test_no_plan_is_faster_within_any_budget(subject, machine, strategy, group, data):
    model, work = subject
    budgets = data.draw(st.lists(budgets_of(model), min_size=1, max_size=8))
    everything = [
        (n_bytes(model, plan), seconds_by_hand(work, machine, plan)) for plan in every_plan(model, strategy, group)
    ]

    curve = plan_curve(model, work, machine, strategy, group=group)

    for budget in budgets:
        least = min((seconds for size, seconds in everything if size <= budget), default=np.inf)
        found = float(curve.seconds(np.array(budget)))
        assert found == pytest.approx(least, rel=ROUNDING)
        if found < np.inf:
            assert seconds_by_hand(work, machine, curve.plan(budget)) == pytest.approx(least, rel=ROUNDING)


@settings(max_examples=60, deadline=None)
@given(models(most_neurons=5), speeds(), st.sampled_from(STRATEGIES), st.data())
def test_rounding_of_bytes_exceeds_no_budget_and_costs_a_unit_for_each_part(subject, machine, strategy, data):
    model, work = subject
    size = st.integers(1, 1 << 40)  # without a common divisor that makes few units
    layers = [
        LayerBytes(data.draw(size), 0, 0, data.draw(size) // layer.n_neurons + 1, layer.n_neurons)
        for layer in model.layers
    ]
    model = ModelBytes(tuple(layers), data.draw(size), model.context, model.workspace)
    plans = [(n_bytes(model, p), seconds_by_hand(work, machine, p)) for p in every_plan(model, strategy, 2)]

    curve = plan_curve(model, work, machine, strategy, group=2)

    for n_bytes_of_plan, _ in data.draw(st.lists(st.sampled_from(plans), min_size=1, max_size=8)):
        budget = n_bytes_of_plan + data.draw(st.sampled_from([-1, 0, curve.unit]))
        within = budget - (len(model.layers) + 2) * curve.unit
        least = min((seconds for size, seconds in plans if size <= within), default=np.inf)
        assert float(curve.seconds(np.array(budget))) <= least * (1 + ROUNDING)
        if budget >= curve.least_bytes:
            assert n_bytes(model, curve.plan(budget)) <= budget


@settings(max_examples=60, deadline=None)
@given(models(), speeds(), st.integers(2, 4), st.data())
def test_groups_cost_no_more_than_the_processors_time_for_one_in_each_split_layer(subject, machine, group, data):
    model, work = subject
    budget = data.draw(
        st.integers(model.overhead + sum(la.with_attention for la in model.layers) + model.head, model.total)
    )

    single = plan_curve(model, work, machine, DENSE_ON_CARD, group=1).plan(budget)
    grouped = plan_curve(model, work, machine, DENSE_ON_CARD, group=group).plan(budget)

    bound = sum(
        layer.neurons[place.n_hot // group * group :][:group].sum() / machine.cpu_rows_rate
        for layer, place in zip(work.layers, single.layers, strict=True)
        if place.is_split
    )
    assert grouped.step_s <= (single.step_s + bound) * (1 + ROUNDING)


def step_seconds_by_solver(
    model: ModelBytes, work: StepWork, strategy: Strategy, group: int, budget: int
) -> tuple[float, float]:
    """What HiGHS proves to be a lower bound, and the best it found.

    One binary for each place of each part, one for each crossing between neighbours.
    """
    machine = SLOW_TO_CROSS
    parts: list[list[tuple[bool, bool, int, float]]] = []  # begins on card, ends on card, bytes, seconds
    for layer, read in zip(model.layers, work.layers, strict=True):
        n, parts_of_layer = layer.n_neurons, []
        for on_card in strategy.attention:
            dense = (
                machine.launch + read.dense / machine.card_dense_rate
                if on_card
                else read.dense / machine.cpu_dense_rate
            )
            whole = [n if on_card else 0]
            for count in whole if strategy.neurons_follow_attention else sorted({*range(0, n, group), n}):
                hot = machine.launch + read.neurons[:count].sum() / machine.card_rows_rate
                cold = read.neurons[count:].sum() / machine.cpu_rows_rate
                ends = count == n or (on_card and count > 0)
                if 0 < count < n:
                    seconds = max(hot, cold) + 2 * machine.crossing + machine.join
                else:
                    seconds = (hot if count else cold) + machine.crossing * (ends != on_card)
                size = count * layer.neuron + on_card * (layer.attention + layer.predictor + layer.kv_cache)
                parts_of_layer.append((on_card, ends, size, seconds + dense))
        parts.append(parts_of_layer)
    parts.append(
        [
            (on_card, on_card, on_card * model.head,
             machine.launch + work.head / machine.card_dense_rate if on_card else work.head / machine.cpu_dense_rate)
            for on_card in strategy.attention
        ]
    )  # fmt: skip
    n_places = sum(map(len, parts))
    n_columns = n_places + len(parts) + 1
    cost = np.array([place[3] for part in parts for place in part] + [machine.crossing] * (len(parts) + 1))
    rows, columns, values, low, high = [], [], [], [], []

    def constrain(terms: list[tuple[int, float]], least: float, most: float) -> None:
        for column, value in terms:
            rows.append(len(low))
            columns.append(column)
            values.append(value)
        low.append(least)
        high.append(most)

    first, size_terms, leaves = 0, [], []
    for i, part in enumerate(parts):
        numbers = range(first, first + len(part))
        constrain([(j, 1.0) for j in numbers], 1, 1)
        size_terms += [(j, float(place[2])) for j, place in zip(numbers, part, strict=True)]
        enters = [(j, 1.0) for j, place in zip(numbers, part, strict=True) if place[0]]
        difference = enters + [(j, -value) for j, value in leaves]
        for sign in (1.0, -1.0):
            constrain([(j, sign * value) for j, value in difference] + [(n_places + i, -1.0)], -np.inf, 0)
        leaves = [(j, 1.0) for j, place in zip(numbers, part, strict=True) if place[1]]
        first += len(part)
    constrain([*leaves, (n_places + len(parts), -1.0)], -np.inf, 0)
    constrain(size_terms, -np.inf, budget - model.overhead)
    matrix = coo_array((values, (rows, columns)), (len(low), n_columns)).tocsr()
    answer = milp(
        cost, constraints=LinearConstraint(matrix, low, high), integrality=np.ones(n_columns), bounds=Bounds(0, 1),
        options={"mip_rel_gap": 1e-4, "time_limit": 60},
    )  # fmt: skip
    assert answer.x is not None, answer.message
    return float(answer.mip_dual_bound) + machine.token, float(answer.fun) + machine.token


@pytest.mark.parametrize(
    ("strategy", "n_layers", "n_neurons", "shares"),
    [
        (DENSE_ON_CARD, 4, 704, (0.0, 0.2, 0.5, 0.8, 1.0)),
        (DENSE_ON_CPU, 4, 704, (0.1, 0.3, 0.7)),
        (BY_LAYER, 4, 704, (0.1, 0.3, 0.5, 0.9)),
        (WHOLE_LAYERS, 12, 704, (0.2, 0.5, 0.8)),
        (DENSE_ON_CARD, 16, 2048, (0.2, 0.5)),
        (DENSE_ON_CARD, 24, 2048, (0.4,)),
        (BY_LAYER, 8, 1536, (0.4,)),
    ],
)
def test_an_integer_solver_finds_nothing_faster(strategy, n_layers, n_neurons, shares):
    model, work = model_of_size(n_layers, n_neurons, 512, seed=n_layers)
    model = ModelBytes(model.layers, model.head, 0, 0)
    curve = plan_curve(model, work, SLOW_TO_CROSS, strategy, group=64)

    for share in shares:
        budget = curve.least_bytes + int(share * (model.total - curve.least_bytes))
        found = curve.plan(budget).step_s
        lower, upper = step_seconds_by_solver(model, work, strategy, 64, budget)
        assert upper - lower < 2e-3 * lower  # the solver came close enough to the end to say something
        assert found >= lower * (1 - 1e-6)
        if strategy not in (DENSE_ON_CARD, DENSE_ON_CPU):  # in these no byte is rounded
            _, upper = step_seconds_by_solver(model, work, strategy, 64, budget - (n_layers + 2) * curve.unit)
        assert found <= upper * (1 + 1e-6)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_any_choice_of_groups_is_faster_by_less_than_a_group_on_the_card(share):
    n_layers, n_groups, group = 8, 16, 64
    model, work = model_of_size(n_layers, n_groups * group, 512)
    machine = SLOW_TO_CROSS
    curve = plan_curve(model, work, machine, DENSE_ON_CARD, group=group)
    budget = curve.least_bytes + int(share * n_layers * n_groups) * group * model.layers[0].neuron
    read = np.array([layer.neurons.reshape(n_groups, group).sum(axis=1) for layer in work.layers])
    hot, cold = read / machine.card_rows_rate, read / machine.cpu_rows_rate

    # x: each group on the card; then for each layer its time, whether any, whether not all is on the card
    n_x, total = n_layers * n_groups, n_layers * (n_groups + 3)
    cost = np.zeros(total)
    cost[n_x : n_x + n_layers] = 1
    cost[n_x + 2 * n_layers :] = 2 * machine.crossing  # a cold layer crosses twice as well
    lines, low = [], []

    def at_least(least: float, **terms: tuple[object, object]) -> None:
        line = np.zeros(total)
        for columns, values in terms.values():
            line[columns] = values
        lines.append(line)
        low.append(least)

    for i in range(n_layers):
        x, t, some, less = slice(i * n_groups, (i + 1) * n_groups), n_x + i, n_x + n_layers + i, n_x + 2 * n_layers + i
        at_least(0, x=(x, -hot[i]), t=(t, 1), some=(some, -machine.launch))
        at_least(cold[i].sum(), x=(x, cold[i]), t=(t, 1))
        at_least(0, x=(x, -1), some=(some, n_groups))
        at_least(n_groups, x=(x, 1), less=(less, n_groups))
    # join is paid where some, but not all: some + less - 1
    cost[n_x + n_layers :] += machine.join
    at_least(-int(share * n_layers * n_groups), x=(slice(0, n_x), -1))
    for i in range(n_layers):
        at_least(1, some=(n_x + n_layers + i, 1), less=(n_x + 2 * n_layers + i, 1))
    upper = np.ones(total)
    upper[n_x : n_x + n_layers] = np.inf
    integral = np.ones(total)
    integral[n_x : n_x + n_layers] = 0
    answer = milp(
        cost, constraints=LinearConstraint(np.array(lines), low, np.inf), integrality=integral, bounds=Bounds(0, upper),
        options={"mip_rel_gap": 1e-4, "time_limit": 30},
    )  # fmt: skip
    assert answer.x is not None, answer.message
    plan = curve.plan(budget)
    dense = [layer.dense for layer in work.layers] + [work.head]
    elsewhere = machine.token + 2 * machine.crossing + sum(machine.launch + d / machine.card_dense_rate for d in dense)
    of_neurons = plan.step_s - elsewhere + n_layers * machine.join

    assert of_neurons >= answer.mip_dual_bound * (1 - 1e-9)
    assert of_neurons <= answer.fun + hot.max(axis=1).sum()


# Laws -------------------------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(models(most_layers=6, most_neurons=40), speeds(), st.sampled_from(STRATEGIES), st.integers(1, 9), st.data())
def test_plan_never_exceeds_its_budget_and_costs_what_it_says(subject, machine, strategy, group, data):
    model, work = subject
    curve = plan_curve(model, work, machine, strategy, group=group)
    budget = data.draw(st.integers(curve.least_bytes, curve.least_bytes + model.total))

    plan = curve.plan(budget)

    assert n_bytes(model, plan) <= budget
    assert plan.step_s == pytest.approx(step_seconds(work, machine, plan), rel=ROUNDING)
    assert plan.step_s == float(curve.seconds(np.array(budget)))


@settings(max_examples=150, deadline=None)
@given(models(most_layers=6, most_neurons=40), speeds(), st.sampled_from(STRATEGIES), st.integers(1, 9))
def test_more_budget_is_never_slower(subject, machine, strategy, group):
    model, work = subject

    curve = plan_curve(model, work, machine, strategy, group=group)

    seconds = curve.seconds(np.arange(model.total + 50))
    assert (seconds[1:] <= seconds[:-1]).all()
    assert np.isinf(seconds[: curve.least_bytes]).all()
    assert np.isfinite(seconds[curve.least_bytes :]).all()


@settings(max_examples=60, deadline=None)
@given(models(most_layers=6, most_neurons=40), speeds(), st.sampled_from(STRATEGIES))
def test_points_of_the_curve_are_all_its_changes(subject, machine, strategy):
    model, work = subject
    curve = plan_curve(model, work, machine, strategy, group=4)

    budgets, seconds = curve.points()

    every = np.arange(model.total + 50)
    every = every[every >= curve.least_bytes]
    assert budgets[0] == curve.least_bytes
    assert (np.diff(budgets) > 0).all()
    assert (np.diff(seconds) < 0).all()
    assert np.array_equal(seconds[np.searchsorted(budgets, every, side="right") - 1], curve.seconds(every))


@settings(max_examples=60, deadline=None)
@given(models(most_layers=4, most_neurons=40), speeds(), st.sampled_from(STRATEGIES), st.data())
def test_every_neuron_is_placed_once(subject, machine, strategy, data):
    model, work = subject
    curve = plan_curve(model, work, machine, strategy, group=4)
    plan = curve.plan(data.draw(st.integers(curve.least_bytes, curve.least_bytes + model.total)))

    for layer, place in zip(model.layers, plan.layers, strict=True):
        order = np.array(data.draw(st.permutations(range(layer.n_neurons))), np.int32)
        hot, cold = place.hot(order), place.cold(order)
        assert sorted([*hot, *cold]) == list(range(layer.n_neurons))
        assert set(hot) == set(order[: place.n_hot])
        assert (np.diff(hot) > 0).all()
        assert (np.diff(cold) > 0).all()


@settings(max_examples=40, deadline=None)
@given(models(most_layers=4, most_neurons=20), speeds(), st.sampled_from(STRATEGIES), st.data())
def test_the_same_numbers_give_the_same_plan(subject, machine, strategy, data):
    model, work = subject
    again = StepWork(tuple(LayerWork(la.dense, la.neurons.copy()) for la in work.layers), work.head)
    curve = plan_curve(model, work, machine, strategy)
    budget = data.draw(st.integers(curve.least_bytes, curve.least_bytes + model.total))

    assert curve.plan(budget) == plan_curve(model, again, machine, strategy).plan(budget) == curve.plan(budget)


@settings(max_examples=40, deadline=None)
@given(models(most_layers=4, most_neurons=20), speeds(), st.sampled_from(STRATEGIES), st.data())
def test_no_strategy_is_faster_than_placing_everything_freely(subject, machine, strategy, data):
    model, work = subject
    budgets = np.array(data.draw(st.lists(budgets_of(model), min_size=1, max_size=8)))

    free = plan_curve(model, work, machine, BY_LAYER, group=3).seconds(budgets)
    bound = plan_curve(model, work, machine, strategy, group=3).seconds(budgets)

    assert (free <= bound * (1 + ROUNDING)).all()


# Whole models -----------------------------------------------------------------------------------------------------


def test_eighty_layers_of_28672_neurons_are_planned_within_a_tenth_of_a_second():
    model, work = model_of_size(80, 28672, 8192)

    def processor_seconds() -> float:
        start = time.process_time()
        plan_curve(model, work, DESKTOP, DENSE_ON_CARD).plan(model.total // 2)
        return time.process_time() - start

    assert min(processor_seconds() for _ in range(5)) <= 0.1


@pytest.mark.parametrize(
    ("n_layers", "n_neurons", "group"), [(30, 1536, 128), (32, 11008, 128), (80, 28672, 256), (1, 5, 128)]
)
def test_groups_are_as_small_as_their_number_allows(n_layers, n_neurons, group):
    assert neurons_in_group(n_layers, n_neurons) == group
    assert n_layers * -(-n_neurons // group) <= MOST_GROUPS


def test_hot_neurons_beat_whole_layers_where_a_model_does_not_fit():
    model, work = model_of_size(48, 14336, 5120, with_predictor=True)
    budget = int(0.6 * model.total)

    split = plan_curve(model, work, DESKTOP, DENSE_ON_CARD).plan(budget)
    whole = plan_curve(model, work, DESKTOP, WHOLE_LAYERS).plan(budget)

    assert split.tokens_per_s > 1.5 * whole.tokens_per_s
    assert hot_share(work, split) > hot_share(work, whole)
    assert all(place.n_hot in (0, place.n_neurons) for place in whole.layers)
    assert all(place.attention_on_card == (place.n_hot > 0) for place in whole.layers)


def test_what_fits_is_on_the_card():
    model, work = model_of_size(4, 2048, 512)

    plan = plan_curve(model, work, DESKTOP, DENSE_ON_CARD).plan(model.total)

    assert plan.head_on_card
    assert all(place.attention_on_card and place.n_hot == place.n_neurons for place in plan.layers)
    assert plan.step_s == plan_curve(model, work, DESKTOP, CARD_ONLY).plan(model.total).step_s


def test_whole_layers_on_the_card_are_neighbours():
    model, work = model_of_size(12, 2048, 512)

    plan = plan_curve(model, work, DESKTOP, WHOLE_LAYERS).plan((model.overhead + model.total) // 2)

    sides = [place.attention_on_card for place in plan.layers] + [plan.head_on_card]
    assert sum(a != b for a, b in itertools.pairwise([False, *sides, False])) == 2
    assert 0 < sum(sides) < len(sides)


def test_a_layer_is_split_only_where_that_pays_its_charge():
    model, work = model_of_size(16, 4096, 1024)
    split = []
    for join in (0.0, 5e-6, 10e-6, 1.0):
        machine = Speeds(60e9, 50e9, 800e9, 600e9, 2e-6, 5e-6, join, 1e-4)
        curve = plan_curve(model, work, machine, DENSE_ON_CARD)
        split.append(curve.plan((curve.least_bytes + model.total) // 2).n_split)

    assert split[0] == 16
    assert split == sorted(split, reverse=True)
    assert 0 < split[1] < 16
    assert split[-1] == 0


def test_a_card_too_small_for_anything_leaves_all_to_the_processor():
    model, work = model_of_size(4, 2048, 512)

    for strategy in (DENSE_ON_CPU, BY_LAYER, WHOLE_LAYERS, CPU_ONLY):
        for budget in (0, 1, model.overhead - 1):
            plan = plan_curve(model, work, DESKTOP, strategy).plan(budget)
            assert not plan.uses_card
            assert n_bytes(model, plan) == 0
            assert plan.step_s == plan_curve(model, work, DESKTOP, CPU_ONLY).plan(0).step_s


@pytest.mark.parametrize("strategy", [DENSE_ON_CARD, CARD_ONLY])
def test_what_cannot_fit_is_refused_with_its_bytes(strategy):
    model, work = model_of_size(4, 2048, 512)
    curve = plan_curve(model, work, DESKTOP, strategy)

    with pytest.raises(OutOfMemory) as refusal:
        curve.plan(curve.least_bytes - 1)

    assert refusal.value.needed_bytes == curve.least_bytes
    assert refusal.value.available_bytes == curve.least_bytes - 1
    assert n_bytes(model, curve.plan(curve.least_bytes)) <= curve.least_bytes


def test_the_faster_of_two_plans_is_taken():
    model, work = model_of_size(4, 2048, 512)
    slow, fast = (plan_curve(model, work, DESKTOP, s).plan(model.total) for s in (CPU_ONLY, CARD_ONLY))

    assert fastest([slow, fast]) is fast
    assert fastest([slow]) is slow


def test_each_layer_has_the_hottest_of_its_own_neurons():
    rng = np.random.default_rng(1)
    counts = [rng.integers(0, 1000, 300).astype(np.float64) for _ in range(24)]
    orders = [hottest_first(layer) for layer in counts]
    layers = tuple(LayerBytes(10, 0, 10, 7, 300) for _ in counts)
    work = StepWork(tuple(LayerWork(10, layer[order]) for layer, order in zip(counts, orders, strict=True)), 10)
    machine = Speeds(1, 1, 10, 10, 1, 1, 1, 1)

    plan = plan_curve(ModelBytes(layers, 0, 0, 0), work, machine, group=8).plan(24 * 20 + 24 * 7 * 100)

    for layer, order, place in zip(counts, orders, plan.layers, strict=True):
        hot, cold = place.hot(order), place.cold(order)
        assert 0 < len(hot) < 300
        assert layer[hot].min() >= layer[cold].max()


def test_numbers_that_do_not_belong_together_are_refused():
    model, work = model_of_size(2, 128, 64)

    with pytest.raises(InvalidRequest):
        plan_curve(model, StepWork(work.layers[:1], work.head), DESKTOP)
    with pytest.raises(InvalidRequest):
        plan_curve(model, StepWork((work.layers[0], LayerWork(1.0, np.ones(127))), work.head), DESKTOP)
    with pytest.raises(InvalidRequest):
        plan_curve(model, work, DESKTOP, group=0)
