"""`ember pull`, `ember list` and `ember ps` over a fake hub: what is shown where, and what is kept when it is ended."""

import io
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.command_line.arguments import speed as read_speed
from app.network import hub_caches, network_settings
from app.terminal.console import Console
from app.terminal.library_commands import download_table, read_downloads, run_ps, run_remove
from app.terminal.pull import PullOptions, plain_line, run_pull, status_line
from app.terminal.session import EngineDied, RequestFailed, Session
from engine.errors import DamagedFile, EngineError, HubUnreachable, OutOfDisk, UnsupportedModel
from engine.hub.access import Access
from engine.hub.download import PackOrder
from engine.hub.downloads import Downloads
from engine.hub.hub_metadata import HubMetadata
from engine.hub.library import Library
from engine.hub.token_store import TokenStore
from engine.messages import Cancel, HostDied
from engine.transfer_reports import (
    HUB,
    AddDownload,
    DownloadReport,
    DownloadsRead,
    NetworkSettings,
    SteerDownload,
    UseNetwork,
)
from tests.hub.hub_with_api import HubWithApi
from tests.hub.queue_rig import FILES, REPO, MemoryKeyring, until
from tests.hub.transfer.conftest import noise
from tests.hub.transfer.fake_hub import Fault

LARGE = {**FILES, "model.safetensors": noise(3_000_000)}


class DownloadEngine:
    """An engine that knows downloads only; what is to be packed is said to be packed at once."""

    def __init__(self, library: Path, on_event, refuses: EngineError | None = None) -> None:
        self.alive = True
        self.orders: list[PackOrder] = []
        self.refuses = refuses
        access = Access(TokenStore(library.parent / "token.json", MemoryKeyring()))
        self.downloads = Downloads(Library(library), library.parent, HubMetadata, self._pack, on_event, access=access)

    def _pack(self, order: PackOrder) -> None:
        self.orders.append(order)
        order.progress(1, 2)
        if self.refuses is not None:
            order.fail(self.refuses)
            return
        packed = order.library / "tiny.ember"
        packed.write_bytes(b"p" * 1_700_000)
        order.finish(packed, order.weight_format or "int8")

    def submit(self, request) -> None:
        if isinstance(request, Cancel):
            self.downloads.cancel(request.target_id)
        else:
            self.downloads.submit(request)

    def close(self) -> None:
        if self.alive:
            self.alive = False
            self.downloads.close()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Shell:
    """A terminal or a pipe, and engines over one library."""

    def __init__(self, hub: HubWithApi, library: Path, *, terminal: bool = False) -> None:
        self.hub, self.library = hub, library
        self.out, self.err = io.StringIO(), Terminal() if terminal else io.StringIO()
        self.console = Console(self.out, self.err)
        self.engines: list[DownloadEngine] = []
        self.refuses: EngineError | None = None
        self.session = Session(self._open, self.console.progress)

    def _open(self, on_event) -> DownloadEngine:
        self.engines.append(DownloadEngine(self.library, on_event, self.refuses))
        return self.engines[-1]

    def pull(self, reference: str = REPO, **options) -> int:
        network = options.pop("network", NetworkSettings(endpoint=self.hub.url))
        chosen = PullOptions(reference, f"ember pull {reference}", network, **options)
        return run_pull(self.session, self.console, chosen)

    @property
    def said(self) -> str:
        return self.err.getvalue()


@pytest.fixture
def shell(tmp_path: Path, monkeypatch) -> Iterator[Shell]:
    monkeypatch.setenv("COLUMNS", "120")
    with HubWithApi() as hub:
        hub.add(REPO, LARGE)
        shell = Shell(hub, tmp_path / "home" / "models")
        yield shell
        shell.session.close()


REPORT = DownloadReport(
    "d", "org/tiny", "main", "a" * 40, "downloading", 3_200_000_000, 7_100_000_000, 12e6, 325.0
)  # fmt: skip


def test_a_pulled_model_is_ready_and_said_to_be(shell):
    assert shell.pull() == 0

    assert shell.out.getvalue() == "org/tiny is ready (1.7 MB).\n"
    assert "ember chat tiny" in shell.said
    assert len(shell.engines[0].orders) == 1


def test_in_a_pipe_the_steps_are_plain_lines(shell):
    shell.hub.faults.append(Fault(piece_s=0.05, times=-1))

    shell.pull(packs=False)

    lines = shell.said.splitlines()
    assert any(line.startswith("org/tiny: downloading, 0 %") for line in lines)
    assert not any("\r" in line or "\x1b" in line for line in lines)
    assert len(lines) < 12


def test_on_a_terminal_one_line_is_written_over(tmp_path, shell, monkeypatch):
    shell.hub.faults.append(Fault(piece_s=0.05, times=-1))
    screen = Shell(shell.hub, shell.library, terminal=True)

    screen.pull(packs=False)
    screen.session.close()

    frames = screen.said.split("\r")
    assert any("[#" in frame and "MB of 3.0 MB" in frame for frame in frames)
    assert any("/s" in frame for frame in frames)


def test_without_packing_the_folder_is_named(shell):
    assert shell.pull(packs=False) == 0

    assert "ember import" in shell.said
    assert shell.engines[0].orders == []


@pytest.mark.parametrize("reference", ["org/tiny@main", "https://huggingface.co/org/tiny", "hf.co/org/tiny"])
def test_a_model_may_be_named_as_people_do(shell, reference):
    assert shell.pull(reference, packs=False) == 0


@pytest.mark.parametrize("reference", ["nonsense", "https://evil.example/org/tiny", "a/b/c"])
def test_what_names_no_model_is_refused(shell, reference):
    with pytest.raises(RequestFailed) as told:
        shell.pull(reference)

    assert told.value.report.code == "InvalidRequest"


def test_a_model_that_is_not_there_ends_with_the_reason_and_nothing_to_go_on_with(shell):
    assert shell.pull("org/absent") == 1

    assert "org/absent" in shell.said
    assert "Go on with" not in shell.said
    assert "arrived" not in shell.said


@pytest.mark.parametrize(("error", "goes_on"), [
    (UnsupportedModel("/models/x", "a tensor", "int3", "int8"), False),
    (DamagedFile("/models/x/model.safetensors", "tensor 7 is cut short"), False),
    (OutOfDisk("/models", 2_000_000, 1_000_000), True),
])  # fmt: skip
def test_how_to_go_on_is_said_only_where_another_try_may_help(shell, error, goes_on):
    shell.refuses = error

    assert shell.pull() == 1

    assert ("Go on with: ember pull org/tiny" in shell.said) == goes_on


def test_an_engine_that_dies_in_the_middle_is_told_with_what_is_kept(shell, monkeypatch):
    gate = threading.Event()
    shell.hub.faults.append(Fault(hang_after=500_000, times=-1, gate=gate))
    follow = shell.session.follow

    def die(request, see, on_interrupt):
        def see_until(event):
            done = isinstance(event, DownloadsRead) and any(d.done_bytes > 400_000 for d in event.queue.downloads)
            if see(event) or done:
                raise EngineDied(HostDied(-9, "", ()))
            return False

        return follow(request, see_until, on_interrupt)

    monkeypatch.setattr(shell.session, "follow", die)
    code = shell.pull()
    shell.session.close()
    gate.set()

    assert code == 1
    assert "SIGKILL" in shell.said
    assert "conversation" not in shell.said
    assert "What has arrived is kept. Go on with: ember pull org/tiny" in shell.said


def test_a_limit_is_kept(shell):
    shell.hub.repos.clear()
    shell.hub.add(REPO, {**FILES, "model.safetensors": noise(500_000)})

    shell.pull(packs=False, limit_bytes_s=700_000)

    assert shell.engines[0].downloads._queue.report().limit_bytes_s == 700_000


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_pauses_and_says_how_to_go_on(shell):
    gate = threading.Event()
    shell.hub.faults.append(Fault(hang_after=500_000, times=-1, gate=gate))

    def press() -> None:
        until(lambda: sum(seen.sent_bytes for seen in shell.hub.seen("cdn")) >= 500_000)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    code = shell.pull()
    thread.join()
    (report,) = read_downloads(shell.session)
    shell.session.close()
    shell.hub.faults.clear()
    gate.set()

    assert code == 130
    assert "Paused at" in shell.said
    assert "Go on with: ember pull org/tiny" in shell.said
    assert (report.state, report.holder) == ("paused", "")
    assert shell.pull() == 0
    assert shell.hub.seen("cdn")[-1].status == 206


def test_offline_it_says_so_and_opens_nothing(shell):
    code = shell.pull(network=NetworkSettings(endpoint=shell.hub.url, is_offline=True))

    assert code == 1
    assert "offline" in shell.said
    assert shell.hub.requests == []


CHILD = """
import sys, time
from pathlib import Path
sys.path.insert(0, "tests/terminal")
from tests.hub.queue_rig import Rig
class There:
    url = sys.argv[1]
queue = Rig(There(), Path(sys.argv[2])).queue(haste=1.0)
queue.add("org/tiny")
print("on", flush=True)
time.sleep(60)
"""


def test_what_another_instance_downloads_is_refused_listed_and_shown_by_ps(shell, capsys):
    shell.hub.faults.append(Fault(hang_after=100_000, times=-1))
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", CHILD, shell.hub.url, str(shell.library)]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as other:
        other.stdout.readline()
        until(lambda: shell.hub.seen("cdn"))

        with pytest.raises(RequestFailed) as told:
            shell.pull()
        (report,) = read_downloads(shell.session)
        code = run_ps(shell.session, shell.console)
        other.kill()

    assert (told.value.report.code, told.value.report.field("process")) == ("ModelHeldElsewhere", str(other.pid))
    assert report.holder == str(other.pid)
    shown = shell.out.getvalue()
    assert code == 0
    assert any(f"org/tiny  {state}" in shown for state in ("downloading", "checking"))
    assert f"Process {other.pid}: " in shown
    assert "free of" in shell.said


def test_with_nothing_running_ps_says_so(shell):
    assert run_ps(shell.session, shell.console) == 0
    assert "No download is running." in shell.said


# lines


def test_a_line_leaves_out_what_matters_least_before_it_grows_too_wide():
    wide = status_line(REPORT, 120)

    assert wide == "org/tiny  [#########-----------]   45 %  3.2 GB of 7.1 GB  12.0 MB/s  about 5 min left"
    for columns in range(120):
        assert len(status_line(REPORT, columns)) <= columns
    assert "45 %" in status_line(REPORT, 60)


def test_while_nothing_arrives_no_time_is_promised():
    stalled = replace(REPORT, state="stalled-retrying", rate_bytes_s=0.0, left_s=None, retry_in_s=12.0)

    assert plain_line(stalled) == "org/tiny: stalled, trying again, again in 12 s, time left unknown"
    assert plain_line(replace(REPORT, state="resolving")) == "org/tiny: asking the hub"
    assert "time left unknown" in status_line(replace(REPORT, rate_bytes_s=0.0, left_s=None), 120)


def test_downloads_are_listed_with_what_has_arrived():
    rows = download_table([replace(REPORT, holder="4711"), replace(REPORT, repo="o/ü", revision="v2", size_bytes=None)])

    assert rows[1].split() == ["org/tiny", "downloading", "3.2", "GB", "7.1", "GB", "4711"]
    assert rows[2].startswith("o/ü@v2")
    assert download_table([]) == []


def test_names_from_the_hub_cannot_steer_the_terminal():
    hostile = replace(REPORT, repo="org/\x1b[2Jx")

    assert "\x1b" not in status_line(hostile, 120) + plain_line(hostile) + "".join(download_table([hostile]))


@pytest.mark.parametrize(
    ("text", "speed"),
    [("10MB/s", 10_000_000), ("1.5 MiB", 1_572_864), ("800k", 800_000), ("5", 5), ("2gb/s", 2_000_000_000)],
)
def test_speeds_are_read_as_people_write_them(text, speed):
    assert read_speed(text) == speed


@pytest.mark.parametrize("text", ["", "fast", "-1MB", "0", "10 MB/h", "1e9"])
def test_what_is_no_speed_is_refused(text):
    with pytest.raises(Exception, match="is no speed"):
        read_speed(text)


# the environment


def test_the_way_to_the_hub_is_as_the_usual_variables_say(tmp_path):
    (tmp_path / "ca.pem").write_text("")
    environ = {
        "HF_ENDPOINT": "https://mirror.example", "HTTPS_PROXY": "http://p:1", "all_proxy": "socks5://s:2",
        "NO_PROXY": "localhost", "SSL_CERT_FILE": str(tmp_path / "ca.pem"), "HF_HUB_OFFLINE": "1",
    }  # fmt: skip

    found = network_settings(environ)
    own = network_settings(environ, endpoint="https://own.example", proxy="none", ca_file="/x.pem")

    assert found == NetworkSettings(
        "https://mirror.example", True, "", "socks5://s:2", "http://p:1", "localhost", str(tmp_path / "ca.pem")
    )
    assert (own.endpoint, own.proxy, own.ca_file) == ("https://own.example", "none", "/x.pem")
    assert network_settings({"SSL_CERT_FILE": "/absent"}) == NetworkSettings(HUB)


def test_caches_of_other_programs_are_where_their_variables_say(tmp_path):
    for name in ("a", "b/hub", ".cache/huggingface/hub"):
        (tmp_path / name).mkdir(parents=True)
    environ = {"HF_HUB_CACHE": str(tmp_path / "a"), "HF_HOME": str(tmp_path / "b")}

    assert hub_caches(environ, tmp_path) == (
        tmp_path / "a", tmp_path / "b" / "hub", tmp_path / ".cache" / "huggingface" / "hub",
    )  # fmt: skip
    assert hub_caches({}, tmp_path / "nobody") == ()


def test_no_password_of_a_proxy_is_in_what_can_be_logged():
    shown = repr(NetworkSettings(proxy="http://me:hidden@p:1", https_proxy="http://me:hidden@p:1"))

    assert "hidden" not in shown
    assert HubUnreachable("h", "r").report().code == "HubUnreachable"


def test_a_paused_download_is_given_up_by_the_name_of_its_repository(shell):
    shell.hub.faults.append(Fault(hang_after=400_000, times=-1))
    shell.session.ask(UseNetwork("n", NetworkSettings(endpoint=shell.hub.url)))
    added = shell.session.ask(AddDownload("a", REPO))
    until(lambda: read_downloads(shell.session)[0].done_bytes > 100_000)
    shell.session.ask(SteerDownload("s", added.download_id, "pause"))
    until(lambda: read_downloads(shell.session)[0].state == "paused")

    assert _give_up_or_fail(shell, "ORG/tiny") == 0

    assert re.fullmatch(r"Gave up the download of org/tiny, [\d.]+ [kM]B freed\.\n", shell.out.getvalue())
    assert read_downloads(shell.session) == ()
    assert not [path for path in shell.library.rglob("*") if path.is_file()]


def _give_up_or_fail(shell: Shell, name: str) -> int:
    shell.session.models = lambda: ()  # of models this engine knows nothing
    return run_remove(shell.session, shell.console, name)
