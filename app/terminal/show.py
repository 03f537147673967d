"""`ember show MODEL`: what a model is, in plain words, from its headers alone."""

import json
from dataclasses import asdict

from app.error_text import format_bytes
from app.terminal.console import Console
from app.terminal.library_commands import find_model
from app.terminal.session import Session
from engine.messages import ModelDescription

REMARKS = {
    "wider than labelled": "The source's weights are float32 although its configuration says half precision: "
    "it takes twice the disk it seems to.",
}


def run_show(session: Session, console: Console, wanted: str, context_tokens: int | None, *, as_json: bool) -> int:
    """Print one model's facts; returns the exit code."""
    model = find_model(session.models(), wanted)
    description = session.describe(model.model_id, context_tokens)
    if as_json:
        console.result_lines(json.dumps(asdict(description), indent=2, ensure_ascii=False))
        return 0
    for line in show_lines(description):
        console.result(line)
    return 0


def show_lines(d: ModelDescription) -> list[str]:
    """Aligned lines of a name and a fact."""
    m = d.model
    facts = [
        ("Model", m.name),
        ("Name", m.model_id),
        ("State", f"packed, {m.weight_format}" if m.state == "packed" else "not packed yet"),
        ("Licence", m.licence or "not stated by the source"),
        ("Family", m.family),
        ("Feed-forward", f"{m.feed_forward}: {'neurons can be silent' if m.is_sparse else 'every neuron counts'}"),
        ("Kind", "chat" if m.chat else "completion, not chat"),
        ("Chat template", m.template or "unknown"),
        ("Parameters", f"{m.n_parameters:,}"),
        (
            "Shape",
            f"{d.n_layers} layers of width {d.width:,}, {d.n_neurons:,} neurons each, {d.n_heads} heads on "
            f"{d.n_key_heads}, {d.n_vocab:,} tokens",
        ),
        ("Context", f"{m.context_tokens:,} tokens at most"),
        ("Size", format_bytes(m.size_bytes)),
        *((f"  {name}", format_bytes(count)) for name, count in d.parts if count),
        ("Memory", f"{format_bytes(d.memory_bytes)} at a context of {d.context_tokens:,} tokens"),
        ("  of that cache", format_bytes(d.cache_bytes)),
        ("Source", m.source),
        *(("Note", REMARKS.get(code, code)) for code in m.remarks),
    ]
    width = max(len(name) for name, _ in facts)
    return [f"{name:<{width}}  {fact}" for name, fact in facts]
