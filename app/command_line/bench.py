"""The command that measures how fast this computer runs a model."""

import argparse
from typing import TYPE_CHECKING

from app.command_line.arguments import WEIGHT_FORMATS, add_threads, counts, positive, shares, words
from app.command_line.engine_session import with_engine
from app.command_line.version import version
from app.paths import AppPaths

if TYPE_CHECKING:
    from app.terminal.console import Console
    from app.terminal.session import Session


def add_bench(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`ember bench`."""
    bench = commands.add_parser(
        "bench",
        help="measure how fast this computer runs a model",
        description="Measure decoding and the reading of prompts, how fast memory is read, and other engines in turns "
        "on the same file. Without arguments: the starter model, against llama.cpp where the package xllamacpp is "
        "installed. Reports are kept; close other programs first.",
    )
    what = bench.add_mutually_exclusive_group()
    what.add_argument("model", nargs="?", default="", metavar="MODEL", help="a model of the library")
    what.add_argument(
        "--shape", metavar="NAME", help="random weights of this size: 1b, 7b, 13b, or the first 8 layers: 7b-8"
    )
    bench.add_argument("--format", type=words, metavar="F,…", help=f"weight formats: {', '.join(WEIGHT_FORMATS)}")
    bench.add_argument("--modes", type=words, metavar="M,…", help="dense, exact, predicted (default: all there are)")
    bench.add_argument(
        "--active", type=shares, metavar="S,…", help="shares of active neurons of a shape, such as 1.0,0.1"
    )
    bench.add_argument("--depth", type=counts, metavar="N,…", help="tokens in the cache when decoding is measured")
    bench.add_argument("--prompt", type=counts, metavar="N,…", help="lengths of the prompts that are read")
    bench.add_argument("--tokens", type=positive, metavar="N", help="tokens decoded in one measurement")
    bench.add_argument("--repeats", type=positive, metavar="N", help="measurements of each figure (default: 5)")
    threads = bench.add_mutually_exclusive_group()
    add_threads(threads)
    threads.add_argument(
        "--thread-sweep", action="store_true", help="measure decoding with 1, 2, 3, 4, 6, 8, … threads"
    )
    bench.add_argument(
        "--against",
        action="append",
        metavar="ENGINE",
        help="xllamacpp, llama-cpp-python, llama-bench=PATH, auto (those that are installed) or none; may be repeated",
    )
    bench.add_argument("--quick", action="store_true", help="few and short measurements")
    bench.add_argument("--check", action="store_true", help="compare the tokens of every fast path with the reference")
    bench.add_argument("--json", default="", metavar="FILE", help="also write the report as JSON")
    bench.add_argument("--markdown", default="", metavar="FILE", help="also write the tables as Markdown")
    bench.add_argument("--no-history", action="store_true", help="keep no report")
    bench.set_defaults(run=lambda options: with_engine(options, _bench))


def _bench(options: argparse.Namespace, session: "Session", console: "Console", paths: AppPaths) -> int:
    from app.terminal.bench import BenchOptions, run_bench

    values = {
        "shape": options.shape,
        "weight_formats": options.format,
        "modes": options.modes,
        "active_shares": options.active,
        "depths": options.depth,
        "prompt_tokens": options.prompt,
        "decoded_tokens": options.tokens,
        "repeats": options.repeats,
        "thread_sweep": options.thread_sweep,
    }
    chosen = BenchOptions(
        model=options.model,
        values=values,
        quick=options.quick,
        # A shape has no file until one is written for it: other engines are measured on it only when asked for.
        against=tuple(options.against or (("none",) if options.shape or options.quick else ("auto",))),
        checks=options.check,
        json_path=options.json,
        markdown_path=options.markdown,
        history=None if options.no_history else paths.benchmarks,
        version=version(),
    )
    return run_bench(session, console, chosen)
