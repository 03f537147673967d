"""Running a chat template that a stranger wrote.

A chat template is a program. It runs in jinja's immutable sandbox with a budget: every loop turn, every call of a
function, filter or test and every character it puts out is counted, operations that could make huge values are measured
first, what is read and made is charged against one total, and what a template never needs is not there. The budget is
spent the same way on every machine; the deadline behind it is for slow ones. Whatever goes wrong inside is a
`TemplateFailed`.
"""

import datetime
import functools
import json
import re
import time
import traceback
import types
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
from engine.text.facts import MAX_TEMPLATE_CHARS

_MAX_STEPS = 1_000_000
_MAX_S = 5.0
_OWN_OUTPUT_CHARS = 1024 * 1024  # on top of eight times what the messages hold
_MAX_INTEGER_BITS = 4096
_CHARGES = 4  # times the allowance of output: what filters, methods and tests may read and make in all
_ITEM = 8  # an item of a list is charged like so many characters
_COPY = (
    16  # so many characters put together are charged like one that a filter reads: templates collect text turn by turn
)


class ChatTemplate:
    """One compiled template."""

    def __init__(self, source: str) -> None:
        if len(source) > MAX_TEMPLATE_CHARS:
            raise TemplateFailed(f"longer than {MAX_TEMPLATE_CHARS} characters")
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
        self._charges = _CHARGES * characters
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

    def charge(self, size: int) -> None:
        """Count what is read and made towards the total, kept or not."""
        self._charges -= size
        if self._charges < 0:
            raise _Refused(f"work on more than {_CHARGES * self.max_characters} characters")

    def measure(self, size: int) -> None:
        """Refuse to make one value of this size."""
        if size > self.max_characters:
            raise _Refused(f"more than {self.max_characters} characters")


class _CountedCode(CodeGenerator):
    """Compiles loops to count their turns, `~` and comparisons to measure, slices and displays to charge."""

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

    def visit_List(self, node: jinja2.nodes.List, frame: Any) -> None:
        self._charged(super().visit_List, node, frame)

    def visit_Dict(self, node: jinja2.nodes.Dict, frame: Any) -> None:
        self._charged(super().visit_Dict, node, frame)

    def visit_Tuple(self, node: jinja2.nodes.Tuple, frame: Any) -> None:
        if node.ctx == "load":
            self._charged(super().visit_Tuple, node, frame)
        else:
            super().visit_Tuple(node, frame)

    def visit_Getitem(self, node: jinja2.nodes.Getitem, frame: Any) -> None:
        if isinstance(node.arg, jinja2.nodes.Slice):
            self._charged(super().visit_Getitem, node, frame)
        else:
            super().visit_Getitem(node, frame)

    def _charged(self, visit: Callable[..., None], node: jinja2.nodes.Node, frame: Any) -> None:
        self.write("environment.charged(")
        visit(node, frame)
        self.write(")")


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
        arithmetic = {name: self._numeric(self.tests[name]) for name in _NUMERIC_TESTS}
        self.tests = {
            name: self._stepping(test) if name in _LOOKING_TESTS else self._charging(self._comparing(test))
            for name, test in (self.tests | arithmetic).items()
        }
        own: dict[str, Callable[..., Any]] = {
            "join": self._join,
            "indent": self._indent,
            "replace": self._replace,
            "round": self._round,
            "string": self._string,
            "tojson": self._to_json,
        }
        filters = {name: self.filters[name] for name in _FILTERS} | comparing | own
        self.filters = (
            {name: self._stepping(self.filters[name]) for name in _LOOKING_FILTERS}
            | {name: self._charging(function) for name, function in filters.items()}
            | {"_counted": self._counted, "_joined": self._joined, "_measured": self._measured}
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
            __self.charged(owner)
            __self._check_str_method(owner, __obj.__name__, args, kwargs)
        elif isinstance(owner, bytes | int | float):
            raise _Refused(f"a method of {type(owner).__name__}")
        result = super().call(__context, __obj, *args, **kwargs)
        return __self.charged(result) if owner is not None or __obj is dict else result

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
        result = super().call_binop(context, operator, left, right)
        self.budget.charge(_extent(result) // _COPY)
        return result

    def charged(self, value: Any) -> Any:
        """The value, charged: the characters of a text, the places in a list."""
        self.budget.charge(_extent(value))
        return value

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
            self.budget.charge(self._size(value))
        return value

    def _stepping(self, function: Any) -> Callable[..., Any]:
        """For what only looks at its argument or hands on a part of it."""

        @functools.wraps(function)
        def stepping(*args: Any, **kwargs: Any) -> Any:
            self.budget.step()
            return function(*args, **kwargs)

        return stepping

    def _charging(self, function: Any) -> Callable[..., Any]:
        """A step, and the size of arguments and result; where that is an iterator, a step for each turn of it."""

        @functools.wraps(function)
        def charging(*args: Any, **kwargs: Any) -> Any:
            self.budget.step()
            self.budget.charge(2 * _ITEM)
            for value in (*args, *kwargs.values()):
                self.charged(value)
            result = function(*args, **kwargs)
            return iter(_Counted(result, self.budget)) if isinstance(result, Iterator) else self.charged(result)

        return charging

    def _numeric(self, test: Any) -> Callable[..., Any]:
        """Of a text, `%` would be a format."""

        @functools.wraps(test)
        def numeric(*args: Any) -> Any:
            if not all(isinstance(arg, int | float) for arg in args):
                raise TypeError("not a number")
            return test(*args)

        return numeric

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
        self.budget.charge(self._size(values) // _COPY)
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
_LOOKING_FILTERS = ("attr", "count", "d", "default", "first", "last", "length")
_FILTERS = (
    "abs", "capitalize", "e", "escape", "float", "forceescape", "int", "items", "list", "lower", "map", "reject",
    "rejectattr", "reverse", "safe", "select", "selectattr", "title", "trim", "upper", "wordcount",
)  # fmt: skip
_LOOKING_TESTS = (
    "boolean", "callable", "defined", "escaped", "false", "filter", "float", "integer", "iterable", "mapping", "none",
    "number", "sameas", "sequence", "string", "test", "true", "undefined",
)  # fmt: skip
_NUMERIC_TESTS = ("divisibleby", "even", "odd")
_COMPARING_FILTERS = ("dictsort", "groupby", "max", "min", "sort", "unique")


def _extent(value: Any) -> int:
    """How much of the total a value costs, without what its items hold: that was charged when they were made."""
    if isinstance(value, str | bytes):
        return len(value)
    return _ITEM * len(value) if isinstance(value, list | tuple | set | dict) else 1


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
        raise TemplateFailed(str(error)[:500], _line_of(error)) from error
    except _FAULTS as error:
        raise TemplateFailed(f"{type(error).__name__}: {error}"[:500], _line_of(error)) from error


def _line_of(error: BaseException) -> int:
    """The line of the template at which it went wrong: jinja gives the frames of a template its own lines."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return error.lineno
    lines = [lineno for frame, lineno in traceback.walk_tb(error.__traceback__) if _is_template(frame)]
    return lines[-1] if lines else 0


def _is_template(frame: types.FrameType) -> bool:
    return frame.f_code.co_filename == "<template>"
