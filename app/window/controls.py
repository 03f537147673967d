"""What a window is made over: the objects that decide, each made once for a run of the program.

A window can be closed and another one made over the same controls; none of them knows a widget.
"""

from dataclasses import dataclass

from app.paths import AppPaths
from app.window.chat_control import ChatControl
from app.window.device.device_control import DeviceControl
from app.window.model_control import ModelControl
from app.window.models.hub_controls import HubControls
from app.window.neurons.comparison_control import ComparisonControl
from app.window.neurons.study_control import StudyControl
from app.window.settings_control import SettingsControl
from app.window.speed_control import SpeedControl
from app.window.theme import Theme


@dataclass(frozen=True, slots=True)
class Controls:
    paths: AppPaths
    settings: SettingsControl
    theme: Theme
    models: ModelControl
    chat: ChatControl
    speed: SpeedControl
    studies: StudyControl
    comparison: ComparisonControl
    device: DeviceControl
    hub: HubControls
