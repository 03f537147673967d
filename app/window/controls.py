"""What a window is made over: the objects that decide, each made once for a run of the program.

A window can be closed and another one made over the same controls; none of them knows a widget.
"""

from dataclasses import dataclass

from app.paths import AppPaths
from app.prompt_library import PromptLibrary
from app.window.answer_control import AnswerControl
from app.window.bridge import EngineBridge
from app.window.chat_control import ChatControl
from app.window.composer.message_queue import MessageQueue
from app.window.context_control import ContextControl
from app.window.device.device_control import DeviceControl
from app.window.memory_estimates import MemoryEstimates
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
    context: ContextControl
    queue: MessageQueue
    prompts: PromptLibrary
    answers: AnswerControl
    estimates: MemoryEstimates
    bridge: EngineBridge
    """For what is asked of the engine while a dialog is open, and by nobody else."""
