"""A display is believed when it answers, not when a variable names it."""

import socket

import pytest

from app.display import has_display


@pytest.mark.parametrize(
    "environment",
    [
        {}, {"DISPLAY": ""}, {"DISPLAY": ":64999"}, {"DISPLAY": "localhost:59999"},
        {"WAYLAND_DISPLAY": "wayland-99", "XDG_RUNTIME_DIR": "/nowhere"},
    ],
    ids=str,
)  # fmt: skip
def test_a_display_that_does_not_answer_is_none(environment, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")

    assert not has_display(environment)


def test_a_wayland_socket_that_answers_is_a_display(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(tmp_path / "wayland-0"))
        server.listen()

        assert has_display({"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)})


def test_a_platform_chosen_by_hand_is_left_to_qt():
    assert has_display({"QT_QPA_PLATFORM": "offscreen"})
