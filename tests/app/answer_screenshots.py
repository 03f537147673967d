"""States of choosing models and of how answers are made, for tests/app/screenshots.py.

What has made-up figures (estimates of the scripted engine, an answer's details) is rendered with `--samples` only.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.window.answer_details import AnswerDetails
from app.window.template_dialog import TemplateDialog
from engine.messages import Generate, ModelInfo
from engine.placement_reports import StepLoad
from tests.app.fake_engine import BASE, OTHER, STARTER, Script

if TYPE_CHECKING:
    from tests.app.screenshots import Stage

RAIN = "Explain how rain forms, in simple words"
LONG = replace(
    OTHER, model_id="long", name="PowerInfer/ReluLLaMA-7B-with-a-very-long-name-of-its-publisher-GGUF",
    size_bytes=7_800_000_000, n_parameters=6_738_000_000, context_tokens=8192,
)  # fmt: skip
TEMPLATE = """{% for message in messages %}
    {%- if loop.first and message['role'] != 'system' %}
        {{- '<|im_start|>system\\nYou are helpful.<|im_end|>\\n' }}
    {%- endif %}
    {{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""
LOAD = StepLoad(100, 4.0, 1.0, 3.0, 0.5, 0.1, 0.2, 750, 250, 10, 5)

MakeStage = Callable[..., "Stage"]
Pieces = Callable[[Generate], Iterable[str]]


def states(stage: MakeStage, pieces: Pieces, *, with_samples: bool) -> dict[str, Callable[[], None]]:
    models: tuple[ModelInfo, ...] = (STARTER, OTHER, BASE, LONG)

    def panel(name: str, theme: str, size: tuple[int, int] = (1180, 800), **script: Any) -> None:
        shown = stage(
            name, theme=theme, size=size, script=Script(models=models, has_figures=False, answer=pieces, **script)
        )
        shown.ready().ask(RAIN)
        answers = shown.session.controls.answers
        answers.save_preset("Letters to my grandmother in Shanghai")
        answers.show_for_chat(True)
        answers.change({"temperature": 0.35, "stop": ("\n\n", "User:"), "system_prompt": "Answer briefly."})
        shown.window.toggle_panel()
        shown.shoot()

    def base() -> None:
        shown = stage("panel-base-model", script=Script(models=(BASE,), has_figures=False, answer=pieces))
        shown.until(lambda: shown.models.state == "no model")
        shown.models.load(BASE.model_id)
        shown.ready().ask("Once upon a time, rain")
        shown.window.toggle_panel()
        shown.shoot()

    def template(name: str, theme: str, *, is_broken: bool = False) -> None:
        problem = ("TemplateSyntaxError: Encountered unknown tag 'endfr'", 7) if is_broken else ("", 0)
        script = Script(own_template=TEMPLATE, template_problem=lambda source: problem, answer=pieces)
        shown = stage(name, theme=theme, script=script).ready()
        shown.window.answer_windows.show_template()
        dialog = shown.window.findChild(TemplateDialog)
        shown.until(lambda: dialog._control.tried is not None)
        shown.shoot_dialog(dialog)

    def picker(name: str, theme: str, marked: int, size: tuple[int, int] = (1180, 800), **script: Any) -> None:
        shown = stage(name, theme=theme, size=size, script=Script(models=models, answer=pieces, **script)).ready()
        shown.window.choose_model()
        list_ = shown.window.picker.list
        list_.setCurrentRow(marked)
        shown.until(lambda: shown.session.controls.estimates.of(shown.window.picker.current_id))
        shown.shoot_dialog(shown.window.picker)

    def picker_loading() -> None:
        script = Script(models=models)
        shown = stage("picker-loading", script=script).ready()
        script.load, script.gates["load"] = (("read", 42, 100),), threading.Event()
        shown.window.choose_model()
        shown.window.picker.list.setCurrentRow(1)
        shown.window.picker.load()
        shown.until(lambda: shown.models.loading and shown.models.loading.progress)
        shown.shoot_dialog(shown.window.picker)

    def details(name: str, theme: str) -> None:
        shown = stage(name, theme=theme, script=Script(models=models, answer=pieces, step_load=LOAD)).ready().ask(RAIN)
        message = shown.chat.path[-1]
        stats = replace(
            message.stats, active=(0.04, 0.11), examined=(0.4, 0.5), step_bytes=91_000_000, dense_bytes=151_000_000,
            seed=2_881_034_113, processor_joules=212.4, generated_tokens=128,
        )  # fmt: skip
        facts = replace(message.facts, stats=stats, sampling=replace(message.facts.sampling, stop=("\n\n", "User:")))
        shown.chat.conversation.update(message.id, facts=facts)
        shown.window.answer_windows.show_details(message.id)
        shown.shoot_dialog(shown.window.findChild(AnswerDetails))

    made: dict[str, Callable[[], None]] = {
        "panel-light": lambda: panel("panel-light", "light", (1180, 1250)),
        "panel-dark": lambda: panel("panel-dark", "dark", (1180, 1250)),
        "panel-narrow": lambda: panel("panel-narrow", "light", (480, 800)),
        "panel-base-model": base,
        "template-light": lambda: template("template-light", "light"),
        "template-broken-dark": lambda: template("template-broken-dark", "dark", is_broken=True),
    }
    if with_samples:
        made |= {
            "picker-light": lambda: picker("picker-light", "light", 1),
            "picker-dark-loaded": lambda: picker("picker-dark-loaded", "dark", 0),
            "picker-narrow-too-large": lambda: picker(
                "picker-narrow-too-large", "light", 3, (440, 700), free_bytes=6_100_000_000
            ),
            "picker-loading": picker_loading,
            "details-light": lambda: details("details-light", "light"),
            "details-dark": lambda: details("details-dark", "dark"),
        }
    return made
