"""States of the transcript for tests/app/screenshots.py: formulas, thinking, code, directions, editing."""

import threading
from collections.abc import Callable, Iterable

from engine.messages import Generate
from tests.app.fake_engine import Script

States = dict[str, Callable[[], None]]

FORMULAS = r"""The roots of $ax^2 + bx + c = 0$ with $a \neq 0$ are

$$
x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a},
$$

and where $b^2 < 4ac$ they are complex, \(x \in \mathbb{C}\). A softmax in a line is
$\sigma(z)_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$, and one line more follows it, so that the distance can be seen.

- Energy: $E = mc^2$
- Norm: $\lVert v \rVert_2 = \sqrt{\sum_{i=1}^{n} v_i^2}$

\[
\begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix}
\begin{pmatrix} x \\ y \end{pmatrix}, \qquad
f(n) = \begin{cases} n/2 & n \text{ even} \\ 3n+1 & n \text{ odd} \end{cases}
\]

| Name | Formula |
|:-----|:--------|
| ReLU | $\max(0, x)$ |
| SiLU | $x \cdot \frac{1}{1 + e^{-x}}$ |

It costs \$5, or $10 for two; what cannot be drawn stays: $\frac{1$ and $\unknown{x}$.
"""

THINKING = """<think>
The user asks for a name. Short ones are easy to call: two syllables, ending in a vowel.

1. Miso, Luna, Kiri
2. avoid names that sound like "no"
</think>

**Miso** is easy to call, and nobody else on the stairs has it."""

NAMES = """**Miso** is easy to call, and nobody else on the stairs has it.

- *Luna*: short, and ends in a vowel
- *Kiri*: two syllables

Call each of them out of the window once, in the voice you will have at half past ten at night."""

CODE = """Save this as `report.py`:

```python
# report.py
import sqlite3, csv, sys

def rows(path: str, query: str = "SELECT model, tokens, seconds FROM answers WHERE seconds > 0 ORDER BY seconds"):
    with sqlite3.connect(path) as db:
        yield from db.execute(query)
```

> Quoted: `ls -l` shows sizes.

```
a block without a language
```
"""

DIRECTIONS = """مرحبا! هذه فقرة **بالعربية** مع `code` وكلمة English.

- عنصر أول
- عنصر ثانٍ

> اقتباس قصير

עברית: שלום עולם.

Back to the left: 中文和 English 混排，“引号”与标点。"""


def states(stage: Callable[..., object]) -> States:
    def told(answer: str) -> Callable[[Generate], Iterable[str]]:
        return lambda request: (answer[: len(answer) // 2], answer[len(answer) // 2 :])

    def shown(name: str, theme: str, question: str, answer: str, size: tuple[int, int] = (1180, 900)) -> object:
        made = stage(name, theme=theme, size=size, script=Script(has_figures=False, answer=told(answer))).ready()
        made.ask(question)
        transcript = made.window.chat_page.transcript
        made.until(lambda: not transcript.formulas.is_busy)
        return made

    def formulas(name: str, theme: str, size: tuple[int, int] = (1180, 1000)) -> None:
        shown(name, theme, "How are quadratic equations solved?", FORMULAS, size).shoot()

    def thinking(name: str, theme: str, *, is_open: bool) -> None:
        made = shown(name, theme, "A name for a cat?", THINKING)
        if is_open:
            made.window.chat_page.transcript.views[-1]._thinking._header.click()
        made.shoot()

    def growing(name: str, theme: str) -> None:
        gate = threading.Event()
        script = Script(has_figures=False, answer=lambda request: (THINKING[:150],), gates={"answer": gate})
        made = stage(name, theme=theme, script=script).ready()
        made.window.chat_page._send("A name for a cat?")
        made.until(lambda: made.chat.path and made.chat.path[-1].content)
        made.shoot()

    def versions(name: str, theme: str, step: int, size: tuple[int, int] = (1180, 800)) -> None:
        """Three more versions that are being written: the one so many steps on is shown."""
        gates = {"answer": threading.Event()}
        texts = (NAMES, NAMES[: len(NAMES) // 2], NAMES[: len(NAMES) // 3])
        script = Script(has_figures=False, answer=told(THINKING), variants=lambda request: [[text] for text in texts])
        made = stage(name, theme=theme, size=size, script=script).ready()
        made.ask("A name for a cat?")
        script.gates.update(gates)
        made.window.chat_page.write_versions()
        made.until(lambda: made.chat.versions(made.chat.path[-1])[-1].content)
        made.chat.branches.step(step)
        made.shoot()

    def version_menu(name: str, theme: str) -> None:
        made = shown(name, theme, "A name for a cat?", THINKING)
        menu = made.window.chat_page.transcript.views[-1]._menu()
        menu.popup(made.window.pos())
        made.shoot_dialog(menu)

    def editing(name: str, theme: str) -> None:
        made = shown(name, theme, "A name for a cat, or for a very small dog?\n\nShort, please.", THINKING)
        made.window.chat_page.transcript.views[0].begin_edit()
        made.shoot()

    def selected(name: str, theme: str) -> None:
        made = shown(name, theme, "How do I list sizes?", CODE)
        transcript = made.window.chat_page.transcript
        parts = transcript.views[-1].parts()
        transcript.selection.select(parts[0], 5, parts[2], 12)
        made.shoot()

    return {
        "formulas-light": lambda: formulas("formulas-light", "light"),
        "formulas-dark": lambda: formulas("formulas-dark", "dark"),
        "formulas-narrow": lambda: formulas("formulas-narrow", "light", (480, 1200)),
        "thinking-light": lambda: thinking("thinking-light", "light", is_open=False),
        "thinking-open-dark": lambda: thinking("thinking-open-dark", "dark", is_open=True),
        "thinking-growing": lambda: growing("thinking-growing", "light"),
        "versions-light": lambda: versions("versions-light", "light", 1),
        "versions-beside": lambda: versions("versions-beside", "light", -1),
        "versions-dark-narrow": lambda: versions("versions-dark-narrow", "dark", 0, (480, 900)),
        "version-menu": lambda: version_menu("version-menu", "light"),
        "editing-light": lambda: editing("editing-light", "light"),
        "selected-light": lambda: selected("selected-light", "light"),
        "code-dark": lambda: shown("code-dark", "dark", "How do I list sizes?", CODE).shoot(),
        "directions-light": lambda: shown("directions-light", "light", "مرحبا", DIRECTIONS).shoot(),
    }
