"""Chat templates for checkpoints that ship none, one row of facts each, and which checkpoint gets which.

A checkpoint that was trained for conversations but forgot to say how is recognised by its control tokens, its family
or its name. Whatever remains is a base model: it continues text and was not trained for turns, so it gets questions and
answers as they stand in ordinary text. Knows nothing of rendering; `chat_template.py` does that.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

CHECKPOINT = "checkpoint"
QUESTION_AND_ANSWER = "question and answer"


@dataclass(frozen=True, slots=True)
class BuiltinTemplate:
    """A form of prompt.

    origin        what `TokenizerFacts.template_origin` says, shown to the user
    source        jinja
    takes_system  False: a system message is put before the user message that follows it
    markers       texts that open or close a turn or a part of one
    line_markers  the same, where they only count at the start of a line
    ends          texts that end an answer: stop strings unless the vocabulary has them as tokens
    needs_bos     the model misbehaves without its first token, whatever its settings say
    """

    origin: str
    source: str
    takes_system: bool = True
    markers: tuple[str, ...] = ()
    line_markers: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    needs_bos: bool = False


CHATML = BuiltinTemplate(
    "built-in: ChatML",
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}",
    markers=("<|im_start|>", "<|im_end|>"),
    ends=("<|im_end|>",),
)

# The template of openbmb/MiniCPM-2B-sft; the card of MiniCPM-S-1B-sft describes the same form, and that the first token
# must not be missing. Nothing stands between an answer and the next question.
MINICPM = BuiltinTemplate(
    "built-in: MiniCPM",
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] == 'user' %}{{ '<用户>' + message['content'] | trim + '<AI>' }}"
    "{% else %}{{ message['content'] | trim }}{% endif %}"
    "{% endfor %}",
    takes_system=False,
    markers=("<用户>", "<AI>"),
    ends=("<用户>",),
    needs_bos=True,
)

# chat_completion of meta-llama/llama (generation.py). There a conversation must begin with the user and alternate; here
# it need not, and a system message goes into the next user message wherever it stands.
LLAMA2 = BuiltinTemplate(
    "built-in: Llama 2",
    "{% set ns = namespace(system='') %}{% for message in messages %}"
    "{% if message['role'] == 'system' %}"
    "{% set ns.system = ns.system + '<<SYS>>\\n' + message['content'] + '\\n<</SYS>>\\n\\n' %}"
    "{% elif message['role'] == 'user' %}"
    "{{ bos_token + '[INST] ' + (ns.system + message['content']) | trim + ' [/INST]' }}"
    "{% set ns.system = '' %}"
    "{% else %}{{ ' ' + message['content'] | trim + ' ' + eos_token }}{% endif %}"
    "{% endfor %}",
    markers=("[INST]", "[/INST]", "<<SYS>>", "<</SYS>>"),
)

QUESTIONS = BuiltinTemplate(
    QUESTION_AND_ANSWER,
    "{% for message in messages %}"
    "{{ '' if loop.first else '\\n' }}"
    "{% if message['role'] == 'system' %}{{ message['content'] | trim + '\\n' }}"
    "{% elif message['role'] == 'user' %}{{ 'Question: ' + message['content'] | trim }}"
    "{% else %}{{ 'Answer: ' + message['content'] | trim }}{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '\\nAnswer:' }}{% endif %}",
    line_markers=("Question:", "Answer:"),
    ends=("\nQuestion:",),
)

BUILTIN_TEMPLATES = (CHATML, MINICPM, LLAMA2, QUESTIONS)
TURN_MARKERS = frozenset(marker for template in BUILTIN_TEMPLATES for marker in template.markers)


@dataclass(frozen=True, slots=True)
class _Rule:
    """Which checkpoints a template is for: all that is stated must hold.

    family   as in engine/model/families.py, or GGUF's architecture
    tokens   control tokens of the vocabulary
    name     a pattern found in the repository's name, lower case, with dashes for everything but letters and digits
    """

    template: BuiltinTemplate
    family: str = ""
    tokens: tuple[str, ...] = ()
    name: str = ""

    def holds(self, control: Collection[str], family: str, name: str) -> bool:
        return (
            (not self.family or self.family == family)
            and all(token in control for token in self.tokens)
            and (not self.name or re.search(self.name, name) is not None)
        )


# The first that holds; none does for a base model. Some base models have the vocabulary of a chat model, so they stand
# first.
_RULES = (
    _Rule(QUESTIONS, name=r"(^|-)base(-|$)|sparsing-?law|sparselm"),
    _Rule(QUESTIONS, family="sparselm"),
    _Rule(MINICPM, family="minicpm"),
    _Rule(MINICPM, name=r"minicpm-(s-)?\d+b-sft"),
    _Rule(MINICPM, tokens=("<用户>", "<AI>")),
    _Rule(CHATML, tokens=("<|im_start|>", "<|im_end|>")),
    _Rule(CHATML, family="bamboo", name=r"dpo|instruct|chat"),
    _Rule(LLAMA2, tokens=("[INST]", "[/INST]")),
    _Rule(LLAMA2, name=r"llama-?2.*-chat"),
)


def template_for(control: Collection[str], *, family: str, repository: str) -> BuiltinTemplate:
    """The template of a checkpoint that ships none; `control` are the texts of its control tokens."""
    name = re.sub(r"[^a-z0-9]+", "-", repository.rsplit("/", 1)[-1].lower())
    return next((rule.template for rule in _RULES if rule.holds(control, family, name)), QUESTIONS)


def template_of_origin(origin: str) -> BuiltinTemplate | None:
    """The built-in template of that name, None for the checkpoint's own; raises ValueError for other names."""
    if origin == CHECKPOINT:
        return None
    found = next((template for template in BUILTIN_TEMPLATES if template.origin == origin), None)
    if found is None:
        raise ValueError(f"template_origin {origin!r}")
    return found
