"""Settings survive a round trip, a newer version, a broken file and a full disk."""

import os
import tomllib
from pathlib import Path

import pytest

from app.settings import AppSettings
from app.settings_file import VERSION, SettingsFile, problem_words
from engine.errors import InvalidRequest

CHOSEN = AppSettings(
    last_model="tiny",
    language="zh_CN",
    theme="dark",
    accent="lagoon",
    zoom=125,
    shortcuts=(("new_chat", "Ctrl+T"), ("quit", "")),
    is_welcomed=True,
    has_tray=True,
    tells_ends=False,
    show_stats=False,
    system_prompt='Say "hi"\\\nin 中文 \x7f\x01 😀\t.',
    temperature=0.0,
    top_p=1.0,
    top_k=0,
    min_p=0.0,
    repetition_penalty=1.0,
    seed=0,
    max_tokens=128,
    tiers=(("relu-smollm2", "fast"), ('x "y"', "fine")),
    counts_neurons=True,
    card="GPU-11111111-aaaa",
    vram_bytes=4 << 30,
    endpoint="https://mirror.example/hub",
    is_offline=True,
    proxy="socks5h://user:secret@proxy.example:1080",
    ca_file="/etc/ssl/company.pem",
    library_folders=("/models", 'D:\\more "models"'),
    download_limit=5_000_000,
    keeps_source=False,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.toml"


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_missing_file_means_defaults_and_no_complaint(path: Path) -> None:
    file = SettingsFile(path)

    assert file.settings == AppSettings()
    assert file.problem is None
    assert not path.exists()


@pytest.mark.parametrize("settings", [AppSettings(), CHOSEN])
def test_what_is_saved_is_read_back(path: Path, settings: AppSettings) -> None:
    SettingsFile(path).save(settings)

    again = SettingsFile(path)

    assert again.settings == settings
    assert again.problem is None


def test_saving_leaves_one_file(path: Path) -> None:
    file = SettingsFile(path)
    file.save(CHOSEN)
    file.save(AppSettings())

    assert [p.name for p in path.parent.iterdir()] == ["settings.toml"]


def test_keys_of_a_newer_version_are_carried_along(path: Path) -> None:
    write(path, 'version = 7\nfuture_text = "a\\nb"\nfuture_flag = true\ntheme = "dark"\n[table]\nx = 1\n')

    file = SettingsFile(path)
    file.save(file.settings)

    text = path.read_text()
    assert file.settings.theme == "dark"
    assert 'future_text = "a\\nb"' in text
    assert "future_flag = true" in text


def test_a_file_of_the_first_version_is_moved_on_and_kept(path: Path) -> None:
    text = 'version = 1\ntheme = "dark"\nseed = 4\nfuture = 1\n'
    write(path, text)

    file = SettingsFile(path)
    file.save(file.settings)

    assert file.settings == AppSettings(theme="dark", seed=4, is_welcomed=True), "who has settings is no newcomer"
    assert file.problem is None
    assert path.with_name("settings.version-1.toml").read_text() == text
    assert tomllib.loads(path.read_text())["version"] == VERSION
    assert SettingsFile(path).settings == file.settings


def test_a_file_of_a_newer_version_stays_one(path: Path) -> None:
    write(path, f"version = {VERSION + 5}\ntheme = 'dark'\n")

    file = SettingsFile(path)
    file.save(file.settings)

    assert tomllib.loads(path.read_text())["version"] == VERSION + 5
    assert not file.settings.is_welcomed


@pytest.mark.parametrize("version", ["0", "-3", "'two'", "true", "1.5"])
def test_a_version_that_is_none_is_taken_for_the_first(path: Path, version: str) -> None:
    assert SettingsFile(write(path, f"version = {version}\n")).settings.is_welcomed


@pytest.mark.parametrize(
    "content",
    [
        "theme = ", b"\xff\xfe\x00", "theme = 'dark'\ntheme = 'light'", "seed = " + "9" * 5000, "a = " + "[" * 3000,
        "a = " + "{a=" * 3000,
    ],
    ids=lambda content: str(content[:12]),
)  # fmt: skip
def test_a_broken_file_is_kept_aside_and_told(path: Path, content: str | bytes) -> None:
    write(path, content)
    before = path.read_bytes()

    file = SettingsFile(path)
    file.save(CHOSEN)

    assert file.problem is not None
    assert file.problem.kept_aside is not None
    assert file.problem.kept_aside.read_bytes() == before
    assert SettingsFile(path).settings == CHOSEN


@pytest.mark.parametrize(
    "line",
    [
        "temperature = -1",
        'temperature = "hot"',
        "theme = 'pink'",
        "show_stats = 1",
        "seed = -4",
        "top_k = 1.5",
        "tiers = 'fast'",
        "tiers = { a = 'reckless' }",
        "tiers = { a = 3 }",
        "counts_neurons = 1",
        "card = ''",
        "card = 0",
        "vram_bytes = -1",
        "vram_bytes = 1.5",
        "language = 'xx'",
        "accent = ''",
        "zoom = 20",
        "shortcuts = 'none'",
        "theme = [0x" + "f" * 5000 + "]",
    ],
)
def test_one_bad_value_falls_back_alone(path: Path, line: str) -> None:
    write(path, f"max_tokens = 99\n{line}\n")

    file = SettingsFile(path)

    assert file.settings == AppSettings(max_tokens=99, is_welcomed=True)
    assert file.problem is not None
    assert line.split(" ")[0] in file.problem.reason


@pytest.mark.parametrize("number", ["9" * 400, "-" + "9" * 400, "0x" + "f" * 5000])
@pytest.mark.parametrize("key", ["temperature", "seed", "top_k", "max_tokens", "future"])
def test_a_number_beyond_all_bounds_costs_nothing_else(path: Path, key: str, number: str) -> None:
    write(path, f"theme = 'dark'\n{key} = {number}\n")

    file = SettingsFile(path)
    file.save(file.settings)

    assert file.settings == AppSettings(theme="dark", is_welcomed=True)
    assert (file.problem is None) == (key == "future")
    assert SettingsFile(path).problem is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.timeout(20)
def test_a_pipe_in_place_of_the_file_is_not_waited_for(path: Path) -> None:
    path.parent.mkdir(parents=True)
    os.mkfifo(path)

    file = SettingsFile(path)
    file.save(CHOSEN)

    assert file.settings == CHOSEN
    assert file.problem is not None
    assert file.problem.reason == "This is not a file"
    assert path.is_fifo()


def test_whole_numbers_are_accepted_for_fractions(path: Path) -> None:
    write(path, "temperature = 1\n")

    assert SettingsFile(path).settings.temperature == 1.0


def test_what_cannot_be_read_is_not_replaced(path: Path) -> None:
    path.mkdir(parents=True)

    file = SettingsFile(path)
    file.save(CHOSEN)

    assert file.problem is not None
    assert file.problem.kept_aside is None
    assert path.is_dir()


def test_a_failed_write_leaves_the_old_file_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = SettingsFile(path)
    file.save(CHOSEN)

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        file.save(AppSettings())

    assert SettingsFile(path).settings == CHOSEN
    assert [p.name for p in path.parent.iterdir()] == ["settings.toml"]


def test_a_value_out_of_range_cannot_be_made() -> None:
    with pytest.raises(InvalidRequest):
        AppSettings(top_p=0.0)


def test_a_tier_is_remembered_for_each_model_and_exact_needs_no_mention() -> None:
    settings = AppSettings(tiers=AppSettings().with_tier("one", "fast"))

    assert settings.tier_of("one") == "fast"
    assert settings.tier_of("two") == "exact"
    assert settings.with_tier("one", "exact") == ()


@pytest.mark.parametrize("value", ["[1]", '[""]', '"one"', "[[]]"])
def test_folders_that_are_no_names_are_not_taken(path: Path, value: str) -> None:
    file = SettingsFile(write(path, f"library_folders = {value}\ntheme = 'dark'\n"))

    assert file.settings == AppSettings(theme="dark", is_welcomed=True)
    assert file.problem is not None
    assert "library_folders" in file.problem.reason


def test_a_proxys_password_is_not_shown_with_the_settings() -> None:
    assert "secret" not in repr(CHOSEN)


@pytest.mark.parametrize(
    "content",
    [
        "is_offline = true\ntheme = ",
        "theme = \nis_offline = true # \xb5",
        "theme = 'dark'\nis_offline = tr",
        "is_offline = false\nis_offline = true\n",
        b"is_offline = true\nproxy = '\xff\xfe'\n",
        "is_offline = true\ntheme = 'dark'\n".encode("utf-16"),
        "is_offline = true\na = " + "[" * 3000,
        "is_offline = 1\n",
        "is_offline = 'yes'\nseed = -4\n",
    ],
    ids=lambda content: str(content[:30]),
)
def test_a_spoiled_file_that_may_have_said_offline_does_not_go_online(path: Path, content: str | bytes) -> None:
    write(path, content)

    file = SettingsFile(path)

    assert file.settings.is_offline
    assert file.problem is not None
    assert file.problem.is_offline
    assert "stays offline" in problem_words(file.problem)
    assert SettingsFile(path).settings.is_offline, "nor does the next start"


@pytest.mark.parametrize("content", ["theme = ", "is_offline = false\ntheme = ", "seed = -4\nis_offline = false\n"])
def test_a_spoiled_file_that_did_not_say_offline_goes_online(path: Path, content: str) -> None:
    write(path, content)

    file = SettingsFile(path)

    assert not file.settings.is_offline
    assert file.problem is not None
    assert "offline" not in problem_words(file.problem)


def test_a_file_that_cannot_be_read_means_offline(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, "is_offline = true\n")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    file = SettingsFile(path)

    assert file.settings.is_offline
    assert file.problem is not None
    assert file.problem.kept_aside is None
