"""`ember show`: a model's facts in plain words, aligned."""

from app.terminal.dialogue import stats_line
from app.terminal.show import show_lines
from engine.messages import GenerationStats, ModelDescription, ModelInfo

MODEL = ModelInfo(
    "prosparse-7b", "ProSparse 7B", "packed", "prosparse", "int8", 7_000_000_000, 6_738_415_616, 4096, "", "/models/p",
    chat=False, feed_forward="gated fatrelu 0.01", is_sparse=True, template="question and answer",
    remarks=("wider than labelled",),
)  # fmt: skip
DESCRIPTION = ModelDescription(
    "1", MODEL, 4096, 32, 32, 32, 11008, 32000, 2048, (("attention", 10), ("feed-forward", 20), ("other", 0)),
    1_073_741_824, 8_200_000_000,
)  # fmt: skip


def test_it_names_what_matters_before_a_model_is_used():
    text = "\n".join(show_lines(DESCRIPTION))

    for fact in (
        "gated fatrelu 0.01: neurons can be silent", "completion, not chat", "question and answer",
        "not stated by the source", "8.2 GB at a context of 2,048 tokens", "11,008 neurons", "takes twice the disk",
    ):  # fmt: skip
        assert fact in text


def test_parts_without_bytes_are_left_out_and_columns_align():
    lines = show_lines(DESCRIPTION)

    assert not any("  other" in line for line in lines)
    column = lines[0].index(MODEL.name)
    assert all(line[column - 1] == " " and line[column] != " " for line in lines)


def test_an_answers_figures_say_how_many_neurons_were_active_where_any_can_be_silent():
    dense = GenerationStats(10, 0, 0.1, 0.1, 5, 0.1, 2048)
    sparse = GenerationStats(10, 0, 0.1, 0.1, 5, 0.1, 2048, examined=(0.3, 0.5), active=(0.1, 0.2))

    assert "15.0 % of neurons active" in stats_line(sparse)
    assert "neurons" not in stats_line(dense)
