"""A report about a model's neurons as one HTML page that needs nothing else.

Owns the page: the words are those of app/neuron_text.py, the charts those of app/neuron_charts.py. No script, no remote
reference, everything that comes from a model or a file escaped; the page follows the reader's choice of light or dark.
"""

from collections.abc import Sequence
from html import escape

from app.benchmark_text import Table
from app.neuron_charts import study_charts
from app.neuron_text import (
    study_facts,
    study_headline,
    study_meaning,
    study_name,
    study_notes,
    study_tables,
)
from engine.neuron_reports import (
    REPORT_KINDS,
    StudyReport,
)

_STYLE = """
:root { color-scheme: light dark; --page: #fdfcfa; --card: #ffffff; --border: #e0dad0; --grid: #eeeae3;
  --text: #292521; --muted: #6c645b; --limit: #a4262c;
  --s0: #c2410c; --s1: #2f5d8a; --s2: #43691f; --s3: #7a3e8f; --s4: #a36a00; --s5: #5f574e; }
@media (prefers-color-scheme: dark) { :root { --page: #1d1b19; --card: #252220; --border: #3a3531; --grid: #322e2a;
  --text: #ebe6df; --muted: #a59c91; --limit: #f2918b;
  --s0: #f0803c; --s1: #8fb8de; --s2: #a9c77f; --s3: #cfa3e0; --s4: #e2b36b; --s5: #c3bab0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 32px 20px 56px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0; } h2 { font-size: 16px; margin: 0 0 2px; }
.kind { color: var(--muted); margin: 0 0 4px; } .lead { font-size: 18px; margin: 10px 0 22px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 0 0 28px; }
dt { color: var(--muted); white-space: pre; } dd { margin: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 460px), 1fr)); gap: 18px; }
figure, .card { margin: 0; padding: 16px 18px; background: var(--card); border: 1px solid var(--border);
  border-radius: 10px; }
figcaption { color: var(--muted); font-size: 13.5px; margin-top: 6px; }
.card { margin-top: 18px; overflow-x: auto; } .card summary { cursor: pointer; font-weight: 600; }
svg { display: block; width: 100%; height: auto; } svg text { fill: var(--text); font-size: 12px; }
svg .tick, svg .label { fill: var(--muted); font-size: 11px; } svg .limit-name { fill: var(--limit); font-size: 11px;
  paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
.grid { stroke: var(--grid); } .axis { stroke: var(--border); }
.limit { stroke: var(--limit); stroke-dasharray: 5 4; }
.line { fill: none; stroke: var(--c); stroke-width: 2; stroke-linejoin: round; }
.faint { stroke-width: 1; stroke-opacity: 0.22; } circle, rect { fill: var(--c); }
.s0 { --c: var(--s0); } .s1 { --c: var(--s1); } .s2 { --c: var(--s2); } .s3 { --c: var(--s3); } .s4 { --c: var(--s4); }
.s5 { --c: var(--s5); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; list-style: none; margin: 2px 0 6px; padding: 0;
  font-size: 13px; }
.legend li::before { content: ""; display: inline-block; width: 14px; height: 3px; border-radius: 2px;
  margin: 0 6px 3px 0; background: var(--c); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 13.5px; margin-top: 8px; }
th { color: var(--muted); font-weight: 500; text-align: left; vertical-align: bottom; }
th, td { padding: 4px 14px 4px 0; border-bottom: 1px solid var(--grid); overflow-wrap: normal; white-space: nowrap; }
th { white-space: normal; } .n { text-align: right; } ul.notes { margin: 26px 0 0; padding-left: 18px;
  color: var(--muted); }
@media print { figure, .card { break-inside: avoid; } }
"""


def study_to_html(report: StudyReport) -> str:
    """The whole page as text, to be written as UTF-8."""
    study = next(name for name, kind in REPORT_KINDS.items() if isinstance(report, kind))
    name = report.head.subject.name
    facts = "".join(f"<dt>{escape(key)}</dt><dd>{_unbroken(value)}</dd>" for key, value in study_facts(report))
    charts = "".join(
        f"<figure><h2>{escape(title)}</h2>{chart}<figcaption>{_unbroken(words)}</figcaption></figure>"
        for title, chart, words in study_charts(report)
    )
    summary = study_tables(report)
    layers = [table for table in study_tables(report, every_layer=True) if table not in summary]
    tables = "".join(_table(table, is_open=table in summary) for table in (*summary, *layers))
    notes = "".join(f"<li>{_unbroken(note)}</li>" for note in study_notes(report))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(f"{study_name(study)}: {name}")}</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<p class="kind">{escape(f"{study_name(study)}: {study_meaning(study)}")}</p>
<h1>{escape(name)}</h1>
<p class="lead">{_unbroken(study_headline(report))}</p>
<dl>{facts}</dl>
<div class="charts">{charts}</div>
{tables}
<ul class="notes">{notes}</ul>
</main>
</body>
</html>
"""


def _unbroken(text: str) -> str:
    """Text in which no number is parted from its sign of percent at the end of a line."""
    return escape(text).replace(" %", "\N{NO-BREAK SPACE}%")


def _table(table: Table, *, is_open: bool) -> str:
    def cells(row: Sequence[str], tag: str) -> str:
        mark = [' class="n"' if i in table.numeric else "" for i in range(len(row))]
        return "".join(f"<{tag}{m}>{escape(cell)}</{tag}>" for m, cell in zip(mark, row, strict=True))

    rows = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in table.rows)
    body = f"<table><thead><tr>{cells(table.heading, 'th')}</tr></thead><tbody>{rows}</tbody></table>"
    opened = " open" if is_open else ""
    return f'<details class="card"{opened}><summary>{escape(table.title)}</summary>{body}</details>\n'
