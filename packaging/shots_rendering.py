"""What answers are made of among the screenshots: formulas, footnotes, code with its switches, placeholders of pictures."""

from typing import TYPE_CHECKING

from shots_scenes import Scene, scene

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.language_model import Usage
from tests.support.waiting import until

if TYPE_CHECKING:
    from shots_stage import Stage

RENDERING_SCENES: list[Scene] = []
_FORMULAS = r"""The Fourier transform of $f$ keeps its energy. 能量$E=mc^2$不变，花费 $5 和 $10[^1].

$$
\int_{-\infty}^{\infty} |f(x)|^2\,dx = \int_{-\infty}^{\infty} |\hat f(\xi)|^2\,d\xi
$$

| Matrix | Value |
| --- | --- |
| $\begin{pmatrix}1&2\\3&4\end{pmatrix}$ | $\det A = -2$ |

- [x] inline $\sqrt{a^2+b^2}$
- [ ] and a fraction $\frac{路程}{时间}$

![A diagram](https://example.org/diagram.png)

[^1]: Plancherel, 1910.
"""
_CODE = """```python
# tools/energy.py
def energy(values): return sum(abs(value) ** 2 for value in values) / len(values) if values else 0.0  # all of them
```

```mermaid
flowchart LR
  f --> F
```
"""
_TEXTS = """Emoji 😀 👍🏽 and מימין לשמאל within a line.

مرحبا هذه فقرة كاملة باللغة العربية.

> A quote
>
> > in a quote
> >
> > > and one more
> > >
> > > > and a fourth

1. First
   - nested *one*
     - deeper
2. Second

- [x] done
- [ ] open
"""
_TABLE = "| n | 数 | square |\n|---|---|---|\n" + "".join(f"| {n} | 第{n}行 | {n * n} |\n" for n in range(300))


@scene(RENDERING_SCENES, "94-formulas")
async def formulas(stage: "Stage") -> None:
    answers = (("What does Plancherel say?", _FORMULAS), ("And in code?", _CODE))
    await _shown(stage, "Plancherel 定理", *answers)
    await stage.picture("94-formulas")


@scene(RENDERING_SCENES, "94-texts")
async def texts(stage: "Stage") -> None:
    await _shown(stage, "Texts of every kind", ("Show what there is", _TEXTS))
    await stage.picture("94-texts")
    await _shown(stage, "A long table", ("All squares", _TABLE))
    await stage.picture("94-texts-long-table")


async def _shown(stage: "Stage", title: str, *answers: tuple[str, str]) -> None:
    threads = stage.session.container.store.threads
    thread = await threads.create_thread(title=title)
    for question, answer in answers:
        turn = await threads.begin_turn(thread.id, question, model="qwen3:8b")
        await threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text=answer)],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=40, output_tokens=180),
            duration_seconds=4.1,
        )
    await stage.presenter.open_thread(thread.id)
    pictures = stage.window.transcript.context.formulas
    await stage.settle()
    await until(lambda: pictures.is_idle)
    await stage.settle()
