"""The engine's door: the same laws in this process and in a spawned host."""

import pytest

from engine.errors import DamagedFile, ForeignFile
from engine.messages import (
    Cancel,
    ChatMessage,
    DescribeModel,
    EngineConfig,
    Failed,
    Generate,
    GenerateVariants,
    GenerationFinished,
    ImportModel,
    ListModels,
    LoadModel,
    ModelDescription,
    ModelImported,
    ModelList,
    ModelReady,
    ModelRemoved,
    ModelUnloaded,
    Progress,
    RemoveModel,
    RequestCancelled,
    SamplingParams,
    TextPiece,
    UnloadModel,
)
from tests.engine.conftest import Front
from tests.golden.families import REFUSED, golden
from tests.tiny_model import write_gguf

HELLO = (ChatMessage("user", "hello"),)
SHORT = SamplingParams(temperature=0.0, max_tokens=12)


@pytest.fixture
def tiny_front(front, tmp_path):
    """A front-end with a tiny model imported and loaded."""
    gguf = write_gguf(tmp_path / "tiny.gguf")
    assert isinstance(front.ask(ImportModel("import", str(gguf))), ModelImported)
    assert isinstance(front.ask(LoadModel("load", "tiny")), ModelReady)
    return front


def test_a_model_is_imported_listed_loaded_asked_unloaded_and_removed(front, tmp_path):
    gguf = write_gguf(tmp_path / "tiny.gguf")

    imported = front.ask(ImportModel("1", str(gguf), "int4"))
    assert isinstance(imported, ModelImported)
    assert (imported.model.model_id, imported.model.weight_format, imported.model.chat) == ("tiny-int4", "int4", True)
    listed = front.ask(ListModels("2"))
    assert isinstance(listed, ModelList)
    assert imported.model in listed.models
    ready = front.ask(LoadModel("3", "tiny-int4"))
    assert isinstance(ready, ModelReady)
    assert ready.memory_bytes > 0
    assert ready.context_tokens == 256
    front.engine.submit(Generate("4", HELLO, SHORT))
    events = front.until(GenerationFinished)
    assert all(e.request_id == "4" for e in events)
    assert all(isinstance(e, (TextPiece, Progress)) for e in events[:-1])
    unloaded = front.ask(UnloadModel("5"))
    assert isinstance(unloaded, ModelUnloaded)
    assert unloaded.freed_bytes == ready.memory_bytes
    assert isinstance(front.ask(RemoveModel("6", "tiny-int4")), ModelRemoved)
    assert imported.model not in front.ask(ListModels("7")).models
    assert gguf.exists()


@pytest.mark.parametrize("token", [-1, 99999999])
def test_a_bias_for_a_token_that_the_model_has_not_is_refused(tiny_front, token):
    n_vocab = tiny_front.ask(DescribeModel("0", "tiny")).n_vocab
    sampling = SamplingParams(max_tokens=2, logit_bias=((n_vocab - 1, 1.0), (token, 5.0)))
    for request in (Generate("1", HELLO, sampling), GenerateVariants("2", HELLO, (SHORT, sampling))):
        refused = tiny_front.ask(request)
        assert isinstance(refused, Failed)
        assert refused.error.code == "InvalidRequest"
        assert refused.error.field("value") == str(token)
        assert f"{n_vocab - 1:,}" in refused.error.field("reason")


def test_a_second_answer_reuses_the_first_ones_tokens(tiny_front):
    tiny_front.engine.submit(Generate("1", HELLO, SHORT))
    events = tiny_front.until(GenerationFinished)
    answer = "".join(e.text for e in events if isinstance(e, TextPiece))
    follow_up = (*HELLO, ChatMessage("assistant", answer), ChatMessage("user", "and then?"))

    tiny_front.engine.submit(Generate("2", follow_up, SHORT))
    stats = tiny_front.until(GenerationFinished)[-1].stats

    assert stats.reused_tokens >= events[-1].stats.prompt_tokens


def test_requests_run_in_the_order_they_came(tiny_front):
    for number in range(4):
        tiny_front.engine.submit(Generate(str(number), HELLO, SHORT))

    finished = [tiny_front.until(GenerationFinished)[-1].request_id for _ in range(4)]

    assert finished == ["0", "1", "2", "3"]


def test_a_waiting_request_can_be_cancelled_without_touching_the_running_one(tiny_front):
    slow = SamplingParams(temperature=0.0, max_tokens=100)
    tiny_front.engine.submit(Generate("running", HELLO, slow))
    tiny_front.engine.submit(Generate("waiting", HELLO, slow))
    tiny_front.engine.submit(Cancel("waiting"))

    running = tiny_front.until(GenerationFinished)[-1]
    waiting = tiny_front.next()

    assert (running.request_id, running.reason) != ("running", "cancelled")
    assert waiting == RequestCancelled("waiting")


def test_cancelling_something_unknown_or_finished_does_nothing(tiny_front):
    tiny_front.engine.submit(Cancel("never heard of"))
    tiny_front.engine.submit(Generate("1", HELLO, SHORT))
    tiny_front.until(GenerationFinished)
    tiny_front.engine.submit(Cancel("1"))
    tiny_front.engine.submit(Generate("1", HELLO, SHORT))

    assert tiny_front.until(GenerationFinished)[-1].reason != "cancelled"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Generate("x", HELLO), "NoModelLoaded"),
        (LoadModel("x", "no-such-model"), "UnknownModel"),
        (LoadModel("x", "../../etc/passwd"), "UnknownModel"),
        (LoadModel("x", ""), "UnknownModel"),
        (RemoveModel("x", "no-such-model"), "UnknownModel"),
        (ImportModel("x", "/no/such/file.gguf"), "FileMissing"),
        (ImportModel("x", "/proc"), "FileMissing"),
        (ImportModel("x", __file__), "ForeignFile"),
        (ImportModel("x", __file__, "int3"), "InvalidRequest"),
        (LoadModel("x", "smollm2", context_tokens=1), "InvalidRequest"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_a_failed_event_and_the_engine_goes_on(front, request_, code):
    failed = front.ask(request_)

    assert isinstance(failed, Failed)
    assert (failed.request_id, failed.error.code) == ("x", code)
    assert isinstance(front.ask(ListModels("y")), ModelList)


@pytest.mark.parametrize(
    "messages",
    [(), (ChatMessage("assistant", "hi"),), (ChatMessage("robot", "hi"), ChatMessage("user", "hi"))],
    ids=["none", "ends with assistant", "unknown role"],
)
def test_a_conversation_that_cannot_be_answered_is_refused(tiny_front, messages):
    assert tiny_front.ask(Generate("x", messages)).error.code == "InvalidRequest"


def test_a_prompt_longer_than_the_context_is_refused_with_numbers(tiny_front):
    failed = tiny_front.ask(Generate("x", (ChatMessage("user", "word " * 200),)))

    assert failed.error.code == "ContextFull"
    assert failed.error.field("prompt_tokens") > failed.error.field("context_tokens") == 256


def test_the_library_survives_broken_files_in_it(front, tmp_path):
    library = tmp_path / "library"
    library.mkdir()
    (library / "broken.ember").write_bytes(b"\xff" * 100)

    assert isinstance(front.ask(ListModels("1")), ModelList)
    assert front.ask(LoadModel("2", "broken")).error.code == ForeignFile.__name__


def test_a_flipped_bit_in_a_packed_model_is_found_when_it_is_loaded(tiny_front, tmp_path):
    path = tmp_path / "library" / "tiny.ember"
    content = bytearray(path.read_bytes())
    content[-5000] ^= 1
    path.write_bytes(content)

    failed = tiny_front.ask(LoadModel("again", "tiny"))

    assert failed.error.code == DamagedFile.__name__


def test_two_models_of_one_name_do_not_overwrite_each_other(front, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    first, second = write_gguf(tmp_path / "a" / "m.gguf"), write_gguf(tmp_path / "b" / "m.gguf")

    ids = [front.ask(ImportModel("x", str(path))).model.model_id for path in (first, second, first)]

    assert ids == ["tiny", "tiny-2", "tiny"]


def test_an_unwritable_library_is_said_so(tmp_path):
    (tmp_path / "library").write_text("a file in the way")
    front = Front(EngineConfig(str(tmp_path / "library"), str(tmp_path / "kernels")), in_process=True)
    gguf = write_gguf(tmp_path / "tiny.gguf")

    failed = front.ask(ImportModel("x", str(gguf)))
    front.engine.close()

    assert failed.error.code == "LibraryNotWritable"


@pytest.mark.model
def test_importing_can_be_cancelled_and_leaves_nothing(front, tmp_path):
    front.engine.submit(LoadModel("load", "smollm2-135m-instruct"))
    seen = front.until(Progress)
    while seen[-1].phase != "pack":
        seen = front.until(Progress)
    front.engine.submit(Cancel("load"))

    cancelled = front.until(RequestCancelled)[-1]

    assert cancelled.request_id == "load"
    assert not list((tmp_path / "library").glob("*"))


def test_a_folder_of_weights_is_imported_and_described(front):
    imported = front.ask(ImportModel("1", str(golden("prosparse").path), "int4"))

    assert isinstance(imported, ModelImported)
    assert (imported.model.feed_forward, imported.model.is_sparse) == ("gated fatrelu 0.01", True)
    assert imported.model.remarks == ("wider than labelled",)
    described = front.ask(DescribeModel("2", imported.model.model_id, context_tokens=64))
    assert isinstance(described, ModelDescription)
    assert described.model == imported.model
    assert described.context_tokens == 64
    assert dict(described.parts)["feed-forward"] > 0
    ready = front.ask(LoadModel("3", imported.model.model_id, context_tokens=64))
    assert isinstance(ready, ModelReady)
    front.engine.submit(Generate("4", HELLO, SHORT))
    stats = front.until(GenerationFinished)[-1].stats
    assert len(stats.active) == described.n_layers
    assert 0 <= stats.active_share < 0.5


def test_what_cannot_run_is_refused_before_it_is_packed(front, tmp_path):
    failed = front.ask(ImportModel("1", str(next(row.path for row in REFUSED if row.folder == "mixtral"))))

    assert failed.error.code == "UnsupportedModel"
    assert "experts" in str(failed.error.field("found"))
    assert not list((tmp_path / "library").glob("*"))


def test_an_engine_that_cannot_start_says_so_to_every_request(tmp_path, monkeypatch):
    def broken(folder):
        raise RuntimeError("no compiler here")

    monkeypatch.setattr("engine.kernels.cpu.cache.use_kernel_cache", broken)
    front = Front(EngineConfig(str(tmp_path), str(tmp_path)), in_process=True)

    answers = [front.ask(ListModels(name)) for name in ("1", "2")]
    front.engine.close()

    assert [(a.request_id, a.error.field("detail")) for a in answers] == [
        ("1", "no compiler here"), ("2", "no compiler here"),
    ]  # fmt: skip


def test_a_request_after_closing_is_answered(tmp_path, kernel_cache):
    front = Front(EngineConfig(str(tmp_path), str(kernel_cache)), in_process=True)
    front.engine.close()

    front.engine.submit(ListModels("late"))

    assert front.next(5) == RequestCancelled("late")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda content: content[:40],
        pytest.param(lambda content: b"", marks=pytest.mark.slow),
        pytest.param(lambda content: bytes(len(content)), marks=pytest.mark.slow),
    ],
)
def test_spoiled_kernels_are_compiled_again(tmp_path, spoil):
    gguf = write_gguf(tmp_path / "tiny.gguf")

    def load():
        front = Front(EngineConfig(str(tmp_path / "library"), str(tmp_path / "kernels")), in_process=False)
        if not (tmp_path / "library").exists():
            front.ask(ImportModel("import", str(gguf)))
        ready = front.ask(LoadModel("load", "tiny"))
        front.engine.close()
        return ready

    assert isinstance(load(), ModelReady)
    for path in (tmp_path / "kernels").rglob("*.nb?"):
        path.write_bytes(spoil(path.read_bytes()))

    assert isinstance(load(), ModelReady)
