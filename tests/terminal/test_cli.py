"""The command line: what it starts, what it prints where, and the exit codes."""

import io
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_engine import STARTER, Script

import app.cli
import engine.api
from app.cli import main
from app.terminal.pull import PullOptions
from engine.errors import InvalidRequest
from engine.messages import EngineConfig, Generate

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("EMBER_HOME", str(tmp_path / "home"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "home"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Every engine that is opened follows this script; `script.config` is what the last one was opened with."""
    script = Script()

    def open_engine(config: EngineConfig, on_event, *, in_process: bool = False):
        script.config = config
        return script.open(on_event)

    monkeypatch.setattr(engine.api, "open_engine", open_engine)
    return script


def run_process(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=60, **options
    )


def test_version_is_printed_without_loading_any_front_end():
    code = (
        "import sys, app.cli\n"
        "assert app.cli.main(['--version']) == 0\n"
        "heavy = {'PySide6', 'prompt_toolkit', 'numba', 'numpy', 'multiprocessing'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )

    done = run_process("-c", code)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ember 0.")


def test_importing_the_entry_point_runs_nothing():
    done = run_process("-c", "import app.__main__, sys; assert 'app.cli' not in sys.modules")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_terminal_loads_no_qt():
    modules = ["chat", "commands", "console", "dialogue", "library_commands", "sampling", "session", "typed_input"]
    modules += ["columns", "compare", "studies", "text_table"]
    code = (
        "import sys\n"
        + "\n".join(f"import app.terminal.{m}" for m in modules)
        + "\nassert 'PySide6' not in sys.modules"
    )

    assert run_process("-c", code).returncode == 0


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["chat", "--threads", "0"], ["chat", "--nope"], ["import"], ["rm"]]
)
def test_misuse_exits_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("arguments", [["profile", "--tokens", "many"], ["train-predictor", "--ranks", "many"]])
def test_what_is_no_number_is_told_in_words(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(arguments)

    error = capsys.readouterr().err.splitlines()[-1]
    assert "'many' is no" in error
    assert "_positive" not in error


def test_impossible_option_value_exits_with_two_and_loads_nothing(script: Script, capsys: pytest.CaptureFixture[str]):
    code = main(["chat", "--temperature", "99", "large-7b", "hi"])

    assert (code, script.opened) == (2, 0)
    assert "temperature" in capsys.readouterr().err


@pytest.mark.parametrize("ranks", ["0", "64,-1", ",", "many"])
def test_ranks_that_cannot_be_are_misuse(ranks: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as caught:
        main(["train-predictor", "--ranks", ranks])
    assert caught.value.code == 2
    assert "setting" not in capsys.readouterr().err


def test_what_the_engine_calls_a_wrong_request_exits_with_two(script: Script, capsys: pytest.CaptureFixture[str]):
    script.profile_error = InvalidRequest("reference", "../../etc", "owner/name").report()

    assert main(["neurons", "large-7b", "--save-profile", "mine.npz"]) == 2
    assert "“../../etc” names no model of the hub" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["list", "ps", "show", "import", "doctor", "rm", "profile", "compare"])
def test_help_says_what_a_command_and_each_of_its_arguments_is(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    usage, *rest = capsys.readouterr().out.split("\n\n")
    assert usage.startswith(f"usage: ember {command}")
    assert rest[0].strip().endswith(".")
    lines = "\n\n".join(rest[1:]).splitlines()
    arguments = [line for line in lines if line.startswith("  ") and not line.startswith("   ")]
    assert arguments
    for at, line in enumerate(lines):
        if line in arguments:
            following = lines[at + 1] if at + 1 < len(lines) else ""
            assert "  " in line.strip() or following.startswith("      "), line


def test_options_reach_the_engine(script: Script, own_home: Path, monkeypatch, capsys):
    options = "--threads 3 --context 512 --system brief --temperature 0 --top-k 5 --seed 4 --stop A --stop B"
    options += " --logit-bias 7=-1"
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    code = main(["chat", "large-7b", *options.split(), "say", "hi"])

    generate = next(r for r in script.requests if isinstance(r, Generate))
    assert code == 0
    assert capsys.readouterr().out == "ok\n"
    assert (script.config.n_threads, script.config.library_dir) == (3, str(own_home / "data" / "models"))
    assert [(m.role, m.content) for m in generate.messages] == [("system", "brief"), ("user", "say hi")]
    assert (generate.sampling.top_k, generate.sampling.stop, generate.sampling.seed) == (5, ("A", "B"), 4)
    assert generate.sampling.logit_bias == ((7, -1.0),)


def test_saved_settings_are_where_a_chat_begins(script: Script, own_home: Path, monkeypatch, capsys):
    (own_home / "config").mkdir(parents=True)
    (own_home / "config" / "settings.toml").write_text(
        'temperature = 0.25\nsystem_prompt = "be kind"\nlast_model = "starter-id"\n'
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    main(["chat", "a", "message", "--top-k", "3"])

    generate = next(r for r in script.requests if isinstance(r, Generate))
    assert script.loads == ["starter-id"]
    assert (generate.sampling.temperature, generate.sampling.top_k) == (0.25, 3)
    assert generate.messages[0].content == "be kind"


def test_list_prints_the_library(script: Script, capsys: pytest.CaptureFixture[str]):
    assert main(["list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["MODEL", "starter-id", "large-7b"]
    assert not script.engines[0].alive


def test_list_in_a_pipe_keeps_one_line_for_each_model(script: Script, capsys: pytest.CaptureFixture[str]):
    script.models[1] = replace(script.models[1], model_id="a\x1b[2Jb", licence="mit\nfake")

    main(["list"])

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("a[2Jb ")
    assert lines[2].endswith("mit fake")


def test_the_librarys_folders_of_the_settings_are_used_before_anything_is_asked(script: Script, own_home: Path, capsys):
    (own_home / "config").mkdir(parents=True)
    (own_home / "config" / "settings.toml").write_text('library_folders = ["/models", "/drive"]\n')

    assert main(["list"]) == 0

    assert [type(r).__name__ for r in script.requests[:2]] == ["UseLibraryFolders", "ListModels"]
    assert script.requests[0].folders == ("/models", "/drive")


def test_spoiled_settings_that_said_offline_are_told_and_nothing_is_fetched(
    script: Script, own_home, monkeypatch, capsys
):
    (own_home / "config").mkdir(parents=True)
    (own_home / "config" / "settings.toml").write_text("is_offline = true\ntheme = \n")
    asked: list[PullOptions] = []
    monkeypatch.setattr("app.terminal.pull.run_pull", lambda session, console, chosen: asked.append(chosen) or 0)

    assert main(["pull", "owner/name"]) == 0
    assert "stays offline" in capsys.readouterr().err
    assert main(["pull", "owner/name"]) == 0

    assert [chosen.network.is_offline for chosen in asked] == [True, True]


def test_import_packs_the_file_by_its_full_path(script: Script, monkeypatch, tmp_path: Path, capsys):
    monkeypatch.chdir(tmp_path)

    code = main(["import", "new.gguf", "--format", "int4"])

    assert code == 0
    assert (script.requests[0].source, script.requests[0].weight_format) == (str(tmp_path / "new.gguf"), "int4")
    assert "ember chat imported" in capsys.readouterr().err


def test_remove_says_what_was_freed(script: Script, capsys: pytest.CaptureFixture[str]):
    assert main(["rm", "large", "--now"]) == 0
    assert capsys.readouterr().out == "Removed large-7b, 1.5 MB freed.\n"


def test_a_removed_model_is_in_the_trash_until_that_is_emptied(script: Script, capsys: pytest.CaptureFixture[str]):
    assert main(["rm", "large"]) == 0
    assert main(["rm", "--restore", "large-7b"]) == 0
    assert main(["rm", "--restore", "large-7b"]) == 1
    assert main(["rm", "large"]) == 0
    assert main(["rm", "--empty-trash"]) == 0

    said = capsys.readouterr()
    assert said.out.splitlines() == [
        "Moved large-7b to the trash; emptied, it frees 1.5 MB.",
        "large-7b is back in the library.",
        "Moved large-7b to the trash; emptied, it frees 1.5 MB.",
        "The trash is empty, 1.5 MB freed.",
    ]
    assert "The trash holds no large-7b. It is empty." in said.err


@pytest.mark.parametrize("model", ["unknown", STARTER.model_id])
def test_remove_of_what_is_not_there_fails(model: str, script: Script, capsys: pytest.CaptureFixture[str]):
    assert main(["rm", model]) == 1
    assert model in capsys.readouterr().err


def test_without_display_ember_chats_in_the_terminal(script: Script, monkeypatch):
    seen = []
    monkeypatch.setattr(app.cli, "_run_chat", lambda options: seen.append(options.words) or 0)

    assert main([]) == 0
    assert seen == [[]]


def test_window_that_cannot_open_gives_way_to_the_terminal(script: Script, monkeypatch, capsys):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setitem(sys.modules, "app.window.start", None)  # the import fails as with a missing system library
    monkeypatch.setattr(app.cli, "_run_chat", lambda options: 0)

    assert main([]) == 0
    assert "ember doctor" in capsys.readouterr().err


LISTING = (
    "import sys; sys.path.insert(0, 'tests/terminal')\n"
    "from scripted_engine import Script; import engine.api, app.cli\n"
    "engine.api.open_engine = lambda config, on_event: Script().open(on_event)\n"
    "{before}\n"
    "sys.exit(app.cli.main({arguments}))\n"
)


@pytest.mark.skipif(os.name == "nt", reason="shell redirections")
@pytest.mark.parametrize(
    ("arguments", "before", "redirection", "words"),
    [
        (["list"], "", ">&-", "the standard output is closed"),
        (["--version"], "", ">&-", "the standard output is closed"),
        (["chat", "hi"], "", "<&-", "the standard input is closed"),
        (["list"], "", ">/dev/full", "The output cannot be written: No space left"),
        (["--version"], "", ">/dev/full", "The output cannot be written: No space left"),
        (["list"], "import os; os.environ['EMBER_HOME'] = '~nosuch/x'", "", "“~nosuch/x” cannot be used"),
        (["import", "~nosuch/x.gguf"], "", "", "“~nosuch/x.gguf” cannot be used"),
        (["import", "x.gguf"], "{gone}", "", "“x.gguf” cannot be used: the folder Ember was started in no longer"),
    ],
)
def test_what_the_system_refuses_is_one_sentence(
    arguments: list[str], before: str, redirection: str, words: str, tmp_path: Path
):
    gone = f"import os; os.mkdir({str(tmp_path / 'g')!r}); os.chdir({str(tmp_path / 'g')!r}); os.rmdir(os.getcwd())"
    code = LISTING.format(arguments=arguments, before=before.format(gone=gone) if before else "")

    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -c "$1" {redirection}', sys.executable, code],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout) == (1, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(os.name == "nt", reason="shell redirections")
def test_without_an_error_output_a_command_works():
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -m app list 2>&- <&-', sys.executable],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )

    assert done.returncode == 0
    assert done.stdout.startswith("MODEL")


def test_reader_that_goes_away_ends_the_command_quietly():
    code = (
        "import sys; sys.path.insert(0, 'tests/terminal')\n"
        "from scripted_engine import Script; import engine.api, app.cli\n"
        "engine.api.open_engine = lambda config, on_event: Script([['line\\n'] * 100_000]).open(on_event)\n"
        "sys.exit(app.cli.main(['chat', 'large-7b', 'hi']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        assert process.stdout.readline() == b"line\n"
        process.stdout.close()
        complaints = process.stderr.read().decode()

    assert process.returncode == 141
    assert "Traceback" not in complaints
    assert "BrokenPipe" not in complaints
