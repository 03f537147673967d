"""Running a chat template that a stranger wrote.

A chat template is a program. It runs in jinja's immutable sandbox with a budget: every loop turn, every call and every
character it puts out is counted, operations that could make huge values are measured first, and what a template never
needs is not there. The budget is spent the same way on every machine; the deadline behind it is for slow ones. Whatever
goes wrong inside is a `TemplateFailed`.
"""

import datetime
import functools
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import jinja2
import jinja2.ext
import jinja2.nodes
import jinja2.runtime
import jinja2.sandbox
import jinja2.utils
from jinja2.compiler import CodeGenerator

from engine.errors import TemplateFailed
from engine.messages import ChatMessage

_MAX_TEMPLATE_CHARS = 256 * 1024  # the longest published ones have about 15,000
_MAX_STEPS = 1_000_000
_MAX_S = 5.0
_OWN_OUTPUT_CHARS = 1024 * 1024  # on top of eight times what the messages hold
_MAX_INTEGER_BITS = 4096


class ChatTemplate:
    """One compiled template."""

    def __init__(self, source: str) -> None:
        if len(source) > _MAX_TEMPLATE_CHARS:
            raise TemplateFailed(f"longer than {_MAX_TEMPLATE_CHARS} characters")
        self._environment = _ChatEnvironment()
        with _faults_reported():
            self._template = self._environment.from_string(source)

    def render(self, messages: Sequence[ChatMessage], variables: Mapping[str, object]) -> str:
        """The prompt's text; `variables` are what the template sees besides `messages`."""
        allowance = _OWN_OUTPUT_CHARS + 8 * sum(len(message.content) for message in messages)
        self._environment.budget = budget = _Budget(allowance)
        turns = [{"role": message.role, "content": message.content} for message in messages]
        with _faults_reported():
            return "".join(_measured(self._template.generate(messages=turns, **variables), budget))


class _Refused(jinja2.TemplateError):
    """The template called raise_exception, or spent its budget."""


_FAULTS = (
    jinja2.TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,  # with RecursionError
    SyntaxError,
    TypeError,
    ValueError,
)


class _Budget:
    """What one rendering may still spend."""

    def __init__(self, characters: int) -> None:
        self.max_characters = characters
        self._characters = characters
        self._steps = _MAX_STEPS
        self._deadline = time.monotonic() + _MAX_S

    def step(self) -> None:
        self._steps -= 1
        if self._steps < 0:
            raise _Refused(f"more than {_MAX_STEPS} steps")
        if time.monotonic() > self._deadline:
            raise _Refused(f"longer than {_MAX_S:g} s")

    def spend(self, characters: int) -> None:
        self._characters -= characters
        if self._characters < 0:
            raise _Refused(f"more than {self.max_characters} characters")

    def measure(self, size: int) -> None:
        """Refuse to make one value of this size."""
        if size > self.max_characters:
            raise _Refused(f"more than {self.max_characters} characters")


class _CountedCode(CodeGenerator):
    """Compiles every loop to count its turns, and `~` and comparisons to measure their operands."""

    def visit_Template(self, node: jinja2.nodes.Template, frame: Any = None) -> None:
        for loop in list(node.find_all(jinja2.nodes.For)):
            loop.iter = _filtered(loop.iter, "_counted", loop.lineno)
        for concat in list(node.find_all(jinja2.nodes.Concat)):
            parts = jinja2.nodes.List(concat.nodes, lineno=concat.lineno)
            concat.nodes = [_filtered(parts, "_joined", concat.lineno)]
        for comparison in list(node.find_all(jinja2.nodes.Compare)):
            comparison.expr = _filtered(comparison.expr, "_measured", comparison.lineno)
            for operand in comparison.ops:
                operand.expr = _filtered(operand.expr, "_measured", comparison.lineno)
        node.set_environment(self.environment)
        super().visit_Template(node, frame)


def _filtered(value: Any, name: str, lineno: int) -> jinja2.nodes.Filter:
    return jinja2.nodes.Filter(value, name, [], [], None, None, lineno=lineno)


class _GenerationTag(jinja2.ext.Extension):
    """`{% generation %}` marks the answer's text for training; for a prompt it is nothing."""

    tags = {"generation"}  # noqa: RUF012 - jinja reads it from the class

    def parse(self, parser: Any) -> Any:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _ChatEnvironment(jinja2.sandbox.ImmutableSandboxedEnvironment):
    """The sandbox of one rendering."""

    intercepted_binops = frozenset(("+", "*", "**", "%"))
    code_generator_class = _CountedCode

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=[jinja2.ext.loopcontrols, _GenerationTag],
            finalize=self._output,
            cache_size=0,
            optimized=False,  # constants are computed under the budget like everything else
        )
        self.budget = _Budget(_OWN_OUTPUT_CHARS)
        comparing = {name: self._comparing(self.filters[name]) for name in _COMPARING_FILTERS}
        self.tests = {name: self._comparing(test) for name, test in self.tests.items()}
        self.filters = (
            {name: self.filters[name] for name in _FILTERS}
            | comparing
            | {
                "_counted": self._counted,
                "_joined": self._joined,
                "_measured": self._measured,
                "join": self._join,
                "indent": self._indent,
                "replace": self._replace,
                "round": self._round,
                "string": self._string,
                "tojson": self._to_json,
            }
        )
        self.globals = {
            "dict": dict,
            "namespace": jinja2.utils.Namespace,
            "raise_exception": _raise_exception,
            "range": jinja2.sandbox.safe_range,
            "strftime_now": _strftime_now,
        }

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        __self.budget.step()
        owner = getattr(__obj, "__self__", None)
        if isinstance(__obj, jinja2.runtime.LoopContext) and args:
            args = (__self._counted(args[0]), *args[1:])
        elif isinstance(owner, str):
            __self._check_str_method(owner, __obj.__name__, args, kwargs)
        elif isinstance(owner, bytes | int | float):
            raise _Refused(f"a method of {type(owner).__name__}")
        return super().call(__context, __obj, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        self.budget.step()
        sizes = [self._size(value) if isinstance(value, _SEQUENCES) else None for value in (left, right)]
        if operator == "+" and None not in sizes:
            self.budget.measure(sum(size or 0 for size in sizes))
        elif operator == "*" and sizes != [None, None]:
            count = right if sizes[0] is not None else left
            self.budget.measure((sizes[0] or sizes[1] or 0) * (count if isinstance(count, int) else 0))
        elif operator == "%" and isinstance(left, str):
            self._check_format(left, self._size(right))
        elif operator in ("*", "**") and isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * right if operator == "**" else left.bit_length() + right.bit_length()
            if bits > _MAX_INTEGER_BITS:
                raise _Refused(f"a number of more than {_MAX_INTEGER_BITS} bits")
        return super().call_binop(context, operator, left, right)

    def _output(self, value: Any) -> Any:
        """Called with everything put out, within macros and blocks as well."""
        self.budget.step()
        self.budget.spend(self._size(value))
        return value

    def _size(self, value: Any) -> int:
        """About how many characters `str(value)` has; refuses to count beyond the budget."""
        size, waiting = 0, [value]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str | bytes):
                size += len(item)
            elif isinstance(item, Mapping):
                waiting += [*item.keys(), *item.values()]
                size += 4 * len(item)
            elif isinstance(item, list | tuple | set):
                waiting += item
                size += 2 * len(item)
            elif isinstance(item, int):
                size += 1 + abs(item).bit_length() // 3
            else:
                size += 24
            self.budget.measure(size)
        return size

    def _counted(self, values: Iterable[Any]) -> "_Counted | Iterable[Any]":
        if isinstance(values, jinja2.Undefined):
            return values
        return _Counted(values, self.budget)

    def _measured(self, value: Any) -> Any:
        """Values that contain others are measured before they are compared: a small graph can be a huge tree."""
        if isinstance(value, (*_SEQUENCES, Mapping)):
            self._size(value)
        return value

    def _comparing(self, function: Any) -> Callable[..., Any]:
        @functools.wraps(function)
        def measured(*args: Any, **kwargs: Any) -> Any:
            self.budget.step()
            known = [list(self._counted(arg)) if isinstance(arg, Iterator) else arg for arg in args]
            for value in (*known, *kwargs.values()):
                self._measured(value)
            return function(*known, **kwargs)

        return measured

    def _joined(self, values: list[Any]) -> str:
        self._size(values)
        return "".join(map(str, values))

    def _join(self, values: Iterable[Any], d: str = "", attribute: str | None = None) -> str:
        items = list(self._counted(values))
        if attribute is not None:
            items = [self.getitem(item, attribute) for item in items]
        self.budget.measure(self._size(items) + len(d) * len(items))
        return str(d).join(map(str, items))

    def _indent(self, s: str, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
        indention = width if isinstance(width, str) else " " * min(width, 1000)
        self.budget.measure(len(s) + (s.count("\n") + 1) * len(indention))
        lines = s.split("\n")
        shifted = [indention + line if line or blank else line for line in lines[1:]]
        return "\n".join([indention + lines[0] if first else lines[0], *shifted])

    def _replace(self, s: str, old: str, new: str, count: int | None = None) -> str:
        s, old, new = str(s), str(old), str(new)
        self._check_str_method(s, "replace", (old, new), {})
        return s.replace(old, new, -1 if count is None else count)

    def _round(self, value: float, precision: int = 0) -> float:
        return round(value, max(-300, min(precision, 300)))

    def _string(self, value: Any) -> str:
        self._size(value)
        return str(value)

    def _to_json(
        self, value: Any, ensure_ascii: bool = False, indent: int | None = None, sort_keys: bool = False
    ) -> str:
        self._size(value)
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=min(indent or 0, 16) or None, sort_keys=sort_keys)

    def _check_str_method(self, text: str, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Measure what a method of str is about to make."""
        values = [*args, *kwargs.values()]
        if name in ("center", "expandtabs", "ljust", "rjust", "zfill"):
            width = max((value for value in values if isinstance(value, int)), default=8)
            self.budget.measure(width * (text.count("\t") + 1 if name == "expandtabs" else 1))
        elif name == "replace" and len(args) >= 2:
            n_found = text.count(args[0])
            self.budget.measure(len(text) + n_found * len(args[1]))
        elif name == "join" and values:
            items = list(self._counted(args[0])) if args and isinstance(args[0], list | tuple) else []
            self.budget.measure(self._size(items) + len(text) * len(items))
        elif name in ("format", "format_map"):
            self._check_format(text, self._size(values))
        elif name == "translate":
            raise _Refused("str.translate")

    def _check_format(self, form: str, size: int) -> None:
        if re.search(r"\d{5}|[%{][^%{}]*[*{]", form):
            raise _Refused("a format with a huge or computed width")
        n_fields = form.count("%") + form.count("{")
        self.budget.measure(len(form) + n_fields * max(size, 10_000 if re.search(r"\d{3}", form) else 1000))


_SEQUENCES = (str, bytes, list, tuple)
_FILTERS = (
    "abs", "attr", "capitalize", "count", "d", "default", "e", "escape", "first", "float", "forceescape", "int",
    "items", "last", "length", "list", "lower", "map", "reject", "rejectattr", "reverse", "safe", "select",
    "selectattr", "title", "trim", "upper", "wordcount",
)  # fmt: skip
_COMPARING_FILTERS = ("dictsort", "groupby", "max", "min", "sort", "unique")


class _Counted:
    """An iterable of which every turn is a step; keeps the length that `loop.last` and `loop.length` ask for."""

    def __init__(self, values: Iterable[Any], budget: _Budget) -> None:
        self._values = values
        self._budget = budget

    def __iter__(self) -> Iterator[Any]:
        for value in self._values:
            self._budget.step()
            yield value

    def __len__(self) -> int:
        return len(self._values)  # type: ignore[arg-type]


def _raise_exception(message: object) -> None:
    raise _Refused(str(message))


def _strftime_now(form: str) -> str:
    return datetime.datetime.now().astimezone().strftime(form[:200])


def _measured(parts: Iterable[str], budget: _Budget) -> Iterator[str]:
    size = 0
    for part in parts:
        budget.step()
        size += len(part)
        budget.measure(size)
        yield part


@contextmanager
def _faults_reported() -> Iterator[None]:
    try:
        yield
    except _Refused as error:
        raise TemplateFailed(str(error)[:500]) from error
    except _FAULTS as error:
        raise TemplateFailed(f"{type(error).__name__}: {error}"[:500]) from error
