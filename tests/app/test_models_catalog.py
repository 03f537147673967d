"""What is typed and filtered means what a person means by it; verdicts are said with their numbers and reasons."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import catalog_words as words
from app.catalog_filter import CatalogFilter, Origin, Typed, origin_of, read_typed, revision_of, runs_here
from app.chat.markdown import parse
from engine.catalog_reports import LEFT_OUT, REASONS, VERDICTS, FitReason, HubSearch
from engine.errors import InvalidRequest
from tests.app import models_samples as samples

ENTRY = next(entry for entry in samples.ENTRIES if entry.repo == samples.SMALL)
BIG = next(entry for entry in samples.ENTRIES if entry.repo == samples.BIG)
REFUSED = next(entry for entry in samples.ENTRIES if entry.unsupported)


@pytest.mark.parametrize(("text", "typed"), [
    ("", Typed()),
    ("  ", Typed()),
    ("openbmb/MiniCPM-S-1B-sft", Typed(reference="openbmb/MiniCPM-S-1B-sft")),
    ("owner/name@v1.0", Typed(reference="owner/name@v1.0")),
    ("https://huggingface.co/owner/name/tree/main", Typed(reference="https://huggingface.co/owner/name/tree/main")),
    ("sparse relu", Typed(search=HubSearch("sparse relu"))),
    ("owner:SparseLLM", Typed(search=HubSearch("", "", "SparseLLM"))),
    ("SparseLLM/", Typed(search=HubSearch("", "", "SparseLLM"))),
    ("tag:relu llama by:openbmb", Typed(search=HubSearch("llama", "relu", "openbmb"))),
    ("稀疏 模型", Typed(search=HubSearch("稀疏 模型"))),
])  # fmt: skip
def test_a_name_or_link_is_looked_at_and_words_are_searched_for(text: str, typed: Typed) -> None:
    assert read_typed(text) == typed


@given(st.text(max_size=300))
def test_anything_may_be_typed(text: str) -> None:
    try:
        typed = read_typed(text)
    except InvalidRequest:
        return
    assert bool(typed.reference or typed.search) == bool(text.strip())


@pytest.mark.parametrize(("reference", "revision"), [
    ("owner/name", ""), ("owner/name@v1.0", "v1.0"), ("https://huggingface.co/owner/name", ""),
    ("https://huggingface.co/owner/name/tree/my%20branch", "my branch"),
    ("https://huggingface.co/owner/name/blob/abc123/config.json", "abc123"),
    ("https://huggingface.co/owner/name/tree/refs/pr/7", "refs/pr/7"),
])  # fmt: skip
def test_the_revision_that_was_asked_for_is_kept(reference: str, revision: str) -> None:
    assert revision_of(reference) == revision


def test_links_name_the_revision_that_the_engine_reads_from_them() -> None:
    from engine.hub.repository import parse_reference

    for link in ("/tree/v2", "/blob/main/README.md", "/resolve/abc/x.bin", "", "/tree/refs/pr/7", "/commit/0a1b"):
        reference = f"https://huggingface.co/owner/name{link}"
        assert revision_of(reference) == parse_reference(reference).revision


def test_filters_of_a_group_widen_and_groups_narrow() -> None:
    def shown(**chosen: object) -> set[str]:
        chosen_filter = CatalogFilter(**({"runs_here": False} | chosen))  # type: ignore[arg-type]
        return {entry.repo for entry in samples.ENTRIES if chosen_filter.shows(entry, None, 0)}

    chat, base = shown(purposes=frozenset({"chat"})), shown(purposes=frozenset({"base"}))
    assert chat
    assert base
    assert not chat & base
    assert chat | base == shown(purposes=frozenset({"chat", "base"})) == shown()
    small = shown(sizes=frozenset({"small"}))
    assert small & chat == shown(purposes=frozenset({"chat"}), sizes=frozenset({"small"}))
    assert shown(sizes=frozenset({"small", "medium", "large"})) == shown()


def test_words_narrow_down_by_name_owner_and_other_names() -> None:
    def finds(text: str) -> bool:
        return CatalogFilter(text).shows(ENTRY, None, 0)

    assert finds("minicpm")
    assert finds("OPENBMB")
    assert finds("owner:openbmb sft")
    assert finds(ENTRY.also[0])
    assert not finds("minicpm falcon")


def test_what_cannot_run_here_is_left_out_only_with_that_filter() -> None:
    assert not CatalogFilter(runs_here=True).shows(REFUSED, None, 0)
    assert CatalogFilter(runs_here=False).shows(REFUSED, None, 0)


def test_a_model_beyond_memory_is_left_out_and_a_verdict_goes_first() -> None:
    assert runs_here(BIG, None, 0)
    assert not runs_here(BIG, None, 3_000_000_000)
    assert runs_here(BIG, None, 16_000_000_000)
    assert runs_here(BIG, samples.FROM_DISK, 3_000_000_000)
    assert not runs_here(ENTRY, samples.TOO_BIG, 64_000_000_000)


@pytest.mark.parametrize(("source", "origin"), [
    ("/lib/sources/openbmb/1a2b3c4d5e6f/MiniCPM-S-1B-sft", Origin("openbmb/MiniCPM-S-1B-sft", "1a2b3c4d5e6f")),
    ("/lib/sources/owner/1a2b3c4d5e6f/name/model.gguf", Origin("owner/name", "1a2b3c4d5e6f")),
    (r"D:\lib\sources\owner\1a2b3c4d5e6f\name", Origin("owner/name", "1a2b3c4d5e6f")),
    ("/lib/sources/_/1a2b3c4d5e6f/gpt2", Origin("gpt2", "1a2b3c4d5e6f")),
    ("/home/me/models/demo.gguf", None), ("", None),
])  # fmt: skip
def test_where_a_model_came_from_is_told_by_its_folder(source: str, origin: Origin | None) -> None:
    assert origin_of(source) == origin


def test_the_engine_puts_sources_where_they_are_looked_for(tmp_path) -> None:
    from engine.hub.manifest import source_folder

    folder = source_folder(tmp_path, samples.SMALL, samples.COMMIT)

    assert origin_of(str(folder)) == Origin(samples.SMALL, samples.COMMIT[:12])


# Words ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_words_and_a_colour(verdict: str) -> None:
    report = samples.fit(samples.SMALL, verdict)

    assert words.verdict_words(report) != verdict
    assert words.short_verdict(report)
    assert verdict in words.VERDICT_INKS


@pytest.mark.parametrize("what", REASONS)
def test_every_reason_names_what_is_needed_and_what_is_there(what: str) -> None:
    said = words.reason_words(FitReason(what, 5_900_000_000, 3_100_000_000))

    assert "5.9 GB" in said
    assert "3.1 GB" in said


@pytest.mark.parametrize("reason", LEFT_OUT)
def test_every_reason_for_leaving_a_file_is_said(reason: str) -> None:
    assert words.left_out_words(reason) in words.LEFT_OUT.values()


def test_a_shorter_context_that_would_help_is_named() -> None:
    assert "6,144 tokens" in words.why_words(samples.TOO_BIG)
    assert "tokens" not in words.why_words(samples.FROM_DISK)


def test_a_speed_is_a_range_with_its_basis_or_nothing() -> None:
    assert words.speed_words(samples.FITS) == "14–32 tokens/s"
    assert "published" in words.speed_basis_words(samples.FITS)
    assert words.speed_words(samples.FROM_DISK) == ""
    assert "drive" in words.speed_basis_words(samples.FROM_DISK)
    unmeasured = samples.fit(samples.SMALL, slowest=0.0, fastest=0.0, speed_basis="")
    assert "Device page" in words.speed_basis_words(unmeasured)
    assert words.speed_basis_words(samples.UNSUPPORTED) == ""


def test_numbers_of_the_catalogue_say_so_and_give_way_to_the_hub() -> None:
    catalogued = words.figures(ENTRY, None, None)
    assert catalogued
    assert all(figure.is_catalogued for figure in catalogued)

    asked = words.figures(ENTRY, samples.repository(samples.SMALL), samples.FITS)

    assert not any(figure.is_catalogued for figure in asked)
    assert [figure.value for figure in asked][:3] == ["2.7 GB", "3.6 GB", "1.2 GB"]


def test_what_is_fetched_and_what_stays_is_counted() -> None:
    assert words.fetched_words(samples.repository(samples.SMALL)) == (
        "4 files, 2.7 GB; 3 others (5.4 GB) are left where they are"
    )


def test_one_file_that_stays_is_no_plural() -> None:
    whole = samples.repository(samples.SMALL)
    left = [file for file in whole.files if file.left_out]
    one = replace(whole, files=(*whole.wanted, left[0]))

    assert "; 1 other (" in words.fetched_words(one)
    assert words.fetched_words(one).endswith(") is left where it is")


@pytest.mark.parametrize(("count", "said"), [
    (0, ""), (300, "300"), (260_000, "260 k"), (999_400, "999 k"), (999_900, "1 M"), (350_000_000, "350 M"),
    (1_360_246_272, "1.4 B"),
])  # fmt: skip
def test_parameters_are_never_none_where_there_are_some(count: int, said: str) -> None:
    assert words.count_words(count) == said


def test_a_dense_model_says_that_nothing_is_skipped() -> None:
    dense = replace(samples.FITS, is_sparse=False, feed_forward="gated silu")

    assert "gated silu" in words.sparsity_words(None, dense)
    assert ENTRY.sparsity_source in words.sparsity_words(ENTRY, samples.FITS)


# Cards ---------------------------------------------------------------------------------------------------------------


def test_a_card_loses_its_head_and_its_html_but_neither_text_nor_code() -> None:
    plain = words.plain_card(samples.CARD_TEXT)

    assert "license:" not in plain
    assert "<div" not in plain
    assert "<img" not in plain
    assert "MiniCPM-S\n" in plain
    assert "<b>kept as it is</b>" in plain
    assert "| 0     | 81 %   |" in plain


def test_scripts_styles_and_comments_of_a_card_leave_nothing() -> None:
    plain = words.plain_card("<style>a{}</style>one<!-- two -->\n<script>three()</script>four a < b and c > d")

    assert plain == "one\nfour a < b and c > d"


@given(st.text(alphabet="<>!-/ab\n`~# ", max_size=200))
def test_any_card_can_be_shown(text: str) -> None:
    parse(words.plain_card(text))
