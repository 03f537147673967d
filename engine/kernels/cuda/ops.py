"""The card's kernels as functions of its arrays, named as in `reference.py`: the only caller of the sources here.

`CardOps` checks shapes, chooses grids and puts launches on the device's stream; it allocates nothing but the workspace
for partial sums, once. Each method takes t tokens, the first dimension of its activations, at most MAX_TOKENS. Rows of
activations may be wider than what is used: nothing past the used width is read or written. How many neurons a token
lists is known on the card only, so that grids are for the worst case. A token's result is the bits it would get alone,
and the same every time. Knows no model and no plan.
"""

from dataclasses import dataclass

import numpy as np

from engine.errors import InternalError
from engine.kernels.cuda.device import CardArray, Device, Kernel
from engine.kernels.formats import GROUP, RowFormat, round_up

MAX_TOKENS = 8
WARP = 32
CARD_FORMATS = ("int8", "int4", "f16", "f32")
ACTIVATIONS = ("silu", "relu", "fatrelu", "drelu", "relu2")  # in the order of finish_acts.cu
MOST_HEAD_WIDTH = 256
# A prompt's activations: so many of a token share a unit, of which the largest is so many; as kernels/cpu/gemm.py.
PROMPT_UNIT_VALUES, PROMPT_LARGEST = 128, 4095
# Parts that a token's active neurons are cut into, splits of a context: bounds of the workspace.
MOST_DOWN_PARTS, MOST_SPLITS = 64, 32
# Blocks of a layer's worth of work: several for each multiprocessor of a large card.
_DOWN_BLOCKS, _PRODUCT_BLOCKS = 512, 2048
_FEWEST_NEURONS, _FEWEST_POSITIONS = 32, 64  # of a part, of a split
# Activations kept in shared memory at a time by the products, float32.
_STAGED_VALUES = 8192
_TILE, _QUERIES = 32, 8  # of attention.cu
_PRODUCT_ROWS = 8  # of products.cuh
_ITEMS = 8  # of alive.cu
_CACHE_KINDS = {np.dtype(np.int8): "int8", np.dtype(np.float16): "f16", np.dtype(np.float32): "f32"}
_QUADS = {"int8": 4, "int4": 8, "f16": 2, "f32": 1}  # of four values in a piece of 16 bytes: rows.cuh


@dataclass(frozen=True, slots=True)
class HeadLayout:
    """How a row of queries, keys and values is divided: heads, then key heads twice, each `head_width` wide."""

    heads: int
    key_heads: int
    head_width: int
    rotary_width: int

    @property
    def qkv_width(self) -> int:
        return (self.heads + 2 * self.key_heads) * self.head_width


@dataclass(frozen=True, slots=True, eq=False)
class CardCache:
    """One layer's keys and values (key heads, positions, padded head width): int8, float16 or float32.

    key_scales, value_scales   (key heads, positions, padded head width / 32) float32, for int8 only
    """

    keys: CardArray
    values: CardArray
    key_scales: CardArray | None = None
    value_scales: CardArray | None = None

    @property
    def kind(self) -> str:
        return _CACHE_KINDS[self.keys.dtype]


def workspace_bytes(width: int, heads: int, head_width: int) -> int:
    """What `CardOps.reserve` allocates."""
    down = MOST_DOWN_PARTS * round_up(width, 2 * GROUP)
    attention = MOST_SPLITS * heads * (round_up(head_width, GROUP) + 2)
    return 4 * MAX_TOKENS * max(down, attention)


def down_parts(fmt: RowFormat, d: int, slots: int) -> int:
    """Parts that lists of up to `slots` neurons are cut into: by shapes alone, so that the same shapes sum alike."""
    tiles = -(-_pieces(fmt, d) // WARP)
    return max(1, min(MOST_DOWN_PARTS, _DOWN_BLOCKS // tiles, -(-slots // _FEWEST_NEURONS)))


def rounds(fmt: RowFormat) -> bool:
    """Whether activations are rounded before they are multiplied with rows of this format."""
    return fmt.name in ("int8", "int4")


def attention_splits(context: int) -> int:
    return max(1, min(MOST_SPLITS, -(-context // _FEWEST_POSITIONS)))


def _of_prompt(fmt: RowFormat) -> str:
    """What kernels for a prompt's rows are named after: of int8 rows there are some of their own."""
    return "int8_prompt" if fmt.name == "int8" else fmt.name


def _pieces(fmt: RowFormat, n: int) -> int:
    return fmt.padded(n) // (4 * _QUADS[fmt.name])


def _shared_by(tokens: int) -> int:
    """The tokens that a kernel of products has registers for: 1, 2, 4 or 8."""
    return 1 << (tokens - 1).bit_length()


def _one_block(n: int, items: int = 1) -> tuple[int]:
    """Threads of a block that goes over n values alone, each thread taking `items` at a time."""
    return (min(1024, round_up(max(1, -(-n // items)), WARP)),)


class CardOps:
    """Operations on one device's arrays.

    Each raises InternalError where shapes do not fit, and whatever `Device` raises.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._kernels: dict[str, Kernel] = {}
        self._workspace: CardArray | None = None

    def reserve(self, width: int, heads: int, head_width: int) -> None:
        """Allocate the workspace for a model of these dimensions. Raises OutOfMemory."""
        self.close()
        n = workspace_bytes(width, heads, head_width) // 4
        self._workspace = self._device.empty((n,), np.float32, "workspace")

    def close(self) -> None:
        """Give the workspace back."""
        if self._workspace is not None:
            workspace, self._workspace = self._workspace, None
            self._device.free(workspace)

    # The stream of activations -------------------------------------------------------------------------------------

    def norm(
        self, x: CardArray, weight: CardArray | None, bias: CardArray | None, eps: float, out: CardArray, width: int
    ) -> None:
        """x (t, ld) → out (t, ld), may be x: layer_norm with a bias, rms_norm without, a copy without a weight."""
        t = self._tokens("norm", x, width)
        self._fits("norm", out, t, width)
        grid, block = (t,), _one_block(width, 4)
        if weight is None:
            self._launch("norm", "copy_rows", grid, block, x, x.shape[1], out, out.shape[1], width)
            return
        self._vector("norm", weight, width)
        if bias is None:
            self._launch("norm", "rms_norm", grid, block, x, x.shape[1], weight, eps, out, out.shape[1], width)
            return
        self._vector("norm", bias, width)
        self._launch("norm", "layer_norm", grid, block, x, x.shape[1], weight, bias, eps, out, out.shape[1], width)

    def add(self, target: CardArray, *parts: CardArray, width: int | None = None) -> None:
        """target (t, ld) += each part, in this order. A part of one dimension is added to every token."""
        d = min(a.shape[-1] for a in (target, *parts)) if width is None else width
        t = self._tokens("add", target, d)
        strides = []
        for part in parts:
            if part.ndim == 1:
                self._vector("add", part, d)
            else:
                self._fits("add", part, t, d)
            strides.append(0 if part.ndim == 1 else part.shape[1])
        for first in range(0, len(parts), 3):
            three = [(part, ld) for part, ld in zip(parts, strides, strict=True)][first : first + 3]
            three += [(None, 0)] * (3 - len(three))
            args = [value for pair in three for value in pair]
            self._launch("add", "add", (-(-d // 256), t), (256,), target, target.shape[1], *args, d)

    def copy(self, source: CardArray, target: CardArray) -> None:
        """The bytes of one array into another of as many, which it does not overlap; both without gaps."""
        if source.nbytes != target.nbytes:
            raise _fault("copy", f"{source.nbytes} bytes into {target.nbytes}")
        if source.nbytes:
            blocks = min(_PRODUCT_BLOCKS, -(-source.nbytes // (16 * 256)))
            arrays = (array.reshape(-1).view(np.uint8) for array in (source, target))
            self._launch("copy", "copy", (blocks,), (256,), *arrays, np.int64(source.nbytes))

    def round_activations(self, x: CardArray, fmt: RowFormat, n: int, out: CardArray, *, run: int = 0) -> None:
        """x (t, ld) → out (t, ld), may be x: the n values as the processor rounds them for rows of a packed format.

        With a `run`, which n is a multiple of, each next so many values are rounded by themselves. Only for formats
        that `rounds` names: a product with others takes x as it is.
        """
        t = self._tokens("round_activations", x, n)
        self._fits("round_activations", out, t, n)
        length = run or n
        if not rounds(fmt) or not length or n % length:
            raise _fault("round_activations", f"{n} values in runs of {length} for {fmt.name} rows")
        self._launch(
            "round_activations", f"round_for_{fmt.name}", (n // length, t), _one_block(length, 4), x, x.shape[1],
            length, out, out.shape[1],
        )  # fmt: skip

    def round_prompt(self, x: CardArray, n: int, out: CardArray) -> None:
        """x (t, ld) → out (t, ld), may be x: the n values as the processor rounds those of a prompt for packed rows."""
        t = self._tokens("round_prompt", x, n)
        self._fits("round_prompt", out, t, n)
        self._launch(
            "round_activations", "round_for_prompt", (-(-n // PROMPT_UNIT_VALUES), t), _one_block(PROMPT_UNIT_VALUES),
            x, x.shape[1], n, PROMPT_UNIT_VALUES, PROMPT_LARGEST, out, out.shape[1],
        )  # fmt: skip

    def round_prompt_acts(
        self, acts: CardArray, lists: CardArray, counts: CardArray, rows: CardArray, fmt: RowFormat, d: int
    ) -> None:
        """acts[t, :counts[t]] of ascending lists, in place: as the processor rounds what it multiplies with down rows.

        That is of a prompt, and for rows (n, stride) of d values in a format that `rounds` names.
        """
        self._rows("round_prompt_acts", rows, fmt, d)
        t = self._tokens("round_prompt_acts", acts, 0)
        slots = self._lists("round_prompt_acts", lists, counts, t)
        if not rounds(fmt):
            raise _fault("round_prompt_acts", f"down rows in {fmt.name}")
        self._launch(
            "round_activations", f"round_prompt_acts_{fmt.name}", (-(-rows.shape[0] // PROMPT_UNIT_VALUES), t),
            (PROMPT_UNIT_VALUES,), acts, acts.shape[1], lists, slots, counts, rows, rows.shape[1], fmt.padded(d),
            PROMPT_UNIT_VALUES, PROMPT_LARGEST,
        )  # fmt: skip

    # Products ------------------------------------------------------------------------------------------------------

    def matvec(
        self, rows: CardArray, fmt: RowFormat, n: int, x: CardArray, out: CardArray, bias: CardArray | None = None,
        *, is_rectified: bool = False, of_prompt: bool = False,
    ) -> None:  # fmt: skip
        """rows (r, stride) uint8 of n values, x (t, ld) → out (t, at least r): x · rowsᵀ (+ bias (r,)).

        Rectified: max(0, …). Of a prompt with the rows that the processor multiplies it with: `reference.int16_rows`.
        """
        self._rows("matvec", rows, fmt, n)
        r, t = int(rows.shape[0]), self._tokens("matvec", x, n)
        self._fits("matvec", out, t, r)
        if bias is not None:
            self._vector("matvec", bias, r)
        name = _of_prompt(fmt) if of_prompt else fmt.name
        together = MAX_TOKENS if name != fmt.name else _shared_by(t)
        chunk, shared = self._chunk(fmt, n, together)
        self._launch(
            "matvec", f"matvec_{name}_{together}", (min(_PRODUCT_BLOCKS, -(-r // _PRODUCT_ROWS)),), (256,),
            rows, rows.shape[1], fmt.padded(n), r, x, x.shape[1], n, bias, out, out.shape[1], t, int(is_rectified),
            chunk, shared_bytes=shared,
        )  # fmt: skip

    def matvec_listed(
        self, rows: CardArray, fmt: RowFormat, n: int, x: CardArray, lists: CardArray, counts: CardArray,
        out: CardArray, bias: CardArray | None = None, *, of_prompt: bool = False,
    ) -> None:  # fmt: skip
        """out[t, i] = rows[lists[t, i]] · x[t] (+ bias of that row) for i < counts[t]; lists (t, slots) int32.

        `of_prompt` as for `matvec`.
        """
        self._rows("matvec_listed", rows, fmt, n)
        t = self._tokens("matvec_listed", x, n)
        slots = self._lists("matvec_listed", lists, counts, t)
        self._fits("matvec_listed", out, t, min(slots, rows.shape[0]))
        if bias is not None:
            self._vector("matvec_listed", bias, rows.shape[0])
        chunk, shared = self._chunk(fmt, n, 1)
        most = max(1, min(slots, rows.shape[0]))
        self._launch(
            "matvec_listed", f"matvec_listed_{_of_prompt(fmt) if of_prompt else fmt.name}",
            (min(_PRODUCT_BLOCKS, -(-most // _PRODUCT_ROWS)), t), (256,), rows, rows.shape[1], fmt.padded(n), lists,
            slots, counts, x, x.shape[1], n, bias, out, out.shape[1], chunk, shared_bytes=shared,
        )  # fmt: skip

    def _chunk(self, fmt: RowFormat, n: int, tokens: int) -> tuple[int, int]:
        """Pieces staged at a time, all or whole turns of a warp, and the shared memory that they take."""
        of_a_turn = 16 * _QUADS[fmt.name] * WARP * _shared_by(tokens)
        pieces = min(_pieces(fmt, n), 4 * _STAGED_VALUES // of_a_turn * WARP)
        return pieces, -(-pieces // WARP) * of_a_turn

    # Neurons -------------------------------------------------------------------------------------------------------

    def alive(
        self, acts: CardArray, count_all: int | None, least: float, activation: str, lists: CardArray,
        counts: CardArray,
    ) -> None:  # fmt: skip
        """Keep the neurons whose first product is above zero, and `least` at least, in ascending order.

        acts (t, ld) are compacted in place, lists (t, slots) and counts (t,) int32 say whose they are. `count_all`:
        acts are those of neurons 0 … count_all; None: of the neurons listed already. Silu keeps all.
        """
        self._activation("alive", activation)
        keeps_all = activation == "silu"
        if count_all is None:
            t = self._tokens("alive", acts, 0)
            slots = self._lists("alive", lists, counts, t)
            if not keeps_all:
                self._launch(
                    "alive", "alive_of_listed", (t,), _one_block(slots, _ITEMS), acts, acts.shape[1], lists, slots,
                    counts, float(least),
                )  # fmt: skip
            return
        t = self._tokens("alive", acts, count_all)
        slots = self._lists("alive", lists, counts, t, count_all)
        self._launch(
            "alive", "alive_of_all", (t,), _one_block(count_all, _ITEMS), acts, acts.shape[1], lists, slots, counts,
            count_all, float(least), int(keeps_all),
        )  # fmt: skip

    def candidates(self, scores: CardArray, lists: CardArray, counts: CardArray, n: int | None = None) -> None:
        """List the neurons, of the first n, whose score is above zero, in ascending order; scores (t, ld) stay."""
        n = scores.shape[1] if n is None else n
        t = self._tokens("candidates", scores, n)
        slots = self._lists("candidates", lists, counts, t, n)
        self._launch(
            "alive", "candidates", (t,), _one_block(n, _ITEMS), scores, scores.shape[1], lists, slots, counts, n
        )

    def finish_acts(
        self, acts: CardArray, ups: CardArray | None, counts: CardArray, activation: str, active: CardArray
    ) -> None:
        """acts[t, :counts[t]] = activation(acts) * ups of what `alive` kept; active (t,) int32 says how many are not 0.

        With drelu those whose up product is not positive become zero: they stay listed, and `accumulate_down` does not
        read their rows.
        """
        number = self._activation("finish_acts", activation)
        t = self._tokens("finish_acts", acts, 0)
        self._ints("finish_acts", counts, t)
        self._ints("finish_acts", active, t)
        if ups is not None:
            self._fits("finish_acts", ups, t, 0)
        self._launch(
            "finish_acts", "finish_acts", (t,), _one_block(acts.shape[1], 4), acts, acts.shape[1], ups,
            0 if ups is None else ups.shape[1], counts, number, active,
        )  # fmt: skip

    def fired(self, lists: CardArray, acts: CardArray, counts: CardArray, flags: CardArray) -> None:
        """flags (t, n) uint8: 1 where a neuron is listed and its act is not zero, 0 elsewhere."""
        t = self._tokens("fired", acts, 0)
        slots = self._lists("fired", lists, counts, t)
        if flags.dtype != np.uint8 or flags.ndim != 2 or flags.shape[0] < t:
            raise _fault("fired", f"flags {flags.shape} {flags.dtype} for {t} tokens")
        self._launch(
            "fired", "fired", (t,), _one_block(flags.shape[1], 4), lists, slots, acts, acts.shape[1], counts, flags,
            flags.shape[1],
        )  # fmt: skip

    def accumulate_down(
        self, acts: CardArray, lists: CardArray, counts: CardArray, rows: CardArray, fmt: RowFormat, d: int,
        out: CardArray, *, of_prompt: bool = False,
    ) -> None:  # fmt: skip
        """out (t, ld)[:, :d] = Σ over i < counts[t] of acts[t, i] * rows[lists[t, i]]; rows (n, stride): W_downᵀ.

        `of_prompt` as for `matvec`.
        """
        self._rows("accumulate_down", rows, fmt, d)
        t = self._tokens("accumulate_down", acts, 0)
        slots = self._lists("accumulate_down", lists, counts, t)
        self._fits("accumulate_down", out, t, d)
        width, parts = fmt.padded(d), down_parts(fmt, d, slots)
        partials = self._partials("accumulate_down", parts * t * width)
        self._launch(
            "accumulate_down", f"accumulate_down_{_of_prompt(fmt) if of_prompt else fmt.name}",
            (-(-_pieces(fmt, d) // WARP), parts, t), (256,), acts, acts.shape[1], lists, slots, counts, rows,
            rows.shape[1], width, partials,
        )  # fmt: skip
        self._launch(
            "accumulate_down", "add_parts", (-(-d // 256), t), (256,), partials, parts, width, out, out.shape[1], d
        )

    # Attention -----------------------------------------------------------------------------------------------------

    def rotate_and_append(
        self, qkv: CardArray, table: CardArray | None, positions: CardArray, layout: HeadLayout, cache: CardCache
    ) -> None:
        """Rotate queries and keys of qkv (t, ld) in place, and append keys and values to a layer's cache.

        table (at least t, 2, rotary width / 2): cosines and sines of each token's position, None for no rotation;
        positions (at least t,) int32. The cache gets what the processor's would get from the same rows.
        """
        t = self._tokens("rotate_and_append", qkv, layout.qkv_width)
        context, padded = self._cache("rotate_and_append", layout, cache)
        self._ints("rotate_and_append", positions, t)
        half = layout.rotary_width // 2
        if table is not None and (table.ndim != 3 or table.shape[0] < t or table.shape[1:] != (2, half)):
            raise _fault("rotate_and_append", f"a table of {table.shape} for {t} tokens, rotary {layout.rotary_width}")
        self._launch(
            "rotate_and_append", f"rotate_and_append_{cache.kind}", (-(-(layout.heads + 2 * layout.key_heads) // 4), t),
            (128,), qkv, qkv.shape[1], table if half else None, positions, layout.heads, layout.key_heads,
            layout.head_width, 2 * half, cache.keys, cache.values, cache.key_scales, cache.value_scales, context,
            padded,
        )  # fmt: skip

    def attention(
        self, qkv: CardArray, layout: HeadLayout, cache: CardCache, positions: CardArray, window: int, scale: float,
        out: CardArray,
    ) -> None:  # fmt: skip
        """out (t, ld)[:, :heads * head width]: each query of qkv over the cache up to its token's position.

        That is softmax(scale * keys · query) · values, with a `window` above 0 over so many positions at most.
        """
        t = self._tokens("attention", qkv, layout.qkv_width)
        context, padded = self._cache("attention", layout, cache)
        self._ints("attention", positions, t)
        self._fits("attention", out, t, layout.heads * layout.head_width)
        splits = attention_splits(context)
        partials = self._partials("attention", t * layout.heads * splits * (padded + 2))
        turns = -(-(layout.heads // layout.key_heads) // _QUERIES)
        self._launch(
            "attention", f"attention_{cache.kind}", (splits, layout.key_heads * turns, t), (128,),
            qkv, qkv.shape[1], positions, layout.heads, layout.key_heads, layout.head_width, cache.keys, cache.values,
            cache.key_scales, cache.value_scales, context, padded, window, float(scale), partials,
            shared_bytes=4 * (_TILE * (padded + 4) + _QUERIES * padded),
        )  # fmt: skip
        self._launch(
            "attention", "merge_splits", (layout.heads, t), (min(128, round_up(layout.head_width, WARP)),),
            partials, splits, padded, layout.head_width, out, out.shape[1],
        )  # fmt: skip

    # Predictors ----------------------------------------------------------------------------------------------------

    def low_rank_scores(
        self, x: CardArray, inner: CardArray, outer: CardArray, bias: CardArray, fmt: RowFormat, n: int,
        projected: CardArray, scores: CardArray, *, is_rectified: bool,
    ) -> None:  # fmt: skip
        """scores (t, at least neurons) = outer · (inner · x) + bias, or outer · max(inner · x, 0) + bias.

        x (t, ld) of n values, rounded for the format; inner (r, stride of n), outer (neurons, stride of r); projected
        (t, at least r): scratch, and rounded here.
        """
        self.matvec(inner, fmt, n, x, projected, is_rectified=is_rectified)
        if rounds(fmt):
            self.round_activations(projected, fmt, inner.shape[0], projected)
        self.matvec(outer, fmt, inner.shape[0], projected, scores, bias)

    def sign_scores(self, x: CardArray, width: int, signs: CardArray, bias: CardArray, scores: CardArray) -> None:
        """scores (t, at least n): on how many of `width` values x and a row have the same sign, less half, plus bias.

        signs (n, words) uint64 as `reference.sign_words` packs them.
        """
        t, n = self._tokens("sign_scores", x, width), signs.shape[0]
        if signs.ndim != 2 or signs.dtype != np.uint64 or signs.shape[1] != round_up(width, 64) // 64:
            raise _fault("sign_scores", f"signs {signs.shape} {signs.dtype} of rows of {width}")
        self._vector("sign_scores", bias, n)
        self._fits("sign_scores", scores, t, n)
        words = 2 * signs.shape[1]
        self._launch(
            "sign_scores", "sign_scores", (min(_PRODUCT_BLOCKS, -(-n // _PRODUCT_ROWS)),), (256,), x, x.shape[1], width,
            signs.view(np.uint32), words, n, bias, scores, scores.shape[1], t, shared_bytes=4 * words * t,
        )  # fmt: skip

    # Checks --------------------------------------------------------------------------------------------------------

    def _launch(
        self, source: str, name: str, grid: tuple[int, ...], block: tuple[int, ...], *args: CardArray | float | None,
        shared_bytes: int = 0,
    ) -> None:  # fmt: skip
        kernel = self._kernels.get(name)
        if kernel is None:
            kernel = self._kernels[name] = self._device.kernel(source, name)
        given = [np.int32(a) if isinstance(a, int) else np.float32(a) if isinstance(a, float) else a for a in args]
        kernel(grid, block, given, shared_bytes)

    def _partials(self, op: str, n: int) -> CardArray:
        if self._workspace is None or self._workspace.shape[0] < n:
            have = 0 if self._workspace is None else self._workspace.shape[0]
            raise _fault(op, f"{n} partial sums, workspace for {have}")
        return self._workspace

    def _tokens(self, op: str, x: CardArray, width: int) -> int:
        if x.ndim != 2 or not 1 <= x.shape[0] <= MAX_TOKENS:
            raise _fault(op, f"activations {x.shape}, 1 to {MAX_TOKENS} tokens")
        self._fits(op, x, x.shape[0], width)
        return int(x.shape[0])

    def _fits(self, op: str, array: CardArray, t: int, width: int) -> None:
        if array.ndim != 2 or array.dtype != np.float32 or array.shape[0] < t or array.shape[1] < width:
            raise _fault(op, f"{array.shape} {array.dtype} for {t} tokens of {width} float32")

    def _vector(self, op: str, array: CardArray, n: int) -> None:
        if array.ndim != 1 or array.dtype != np.float32 or array.shape[0] < n:
            raise _fault(op, f"{array.shape} {array.dtype} for {n} float32")

    def _ints(self, op: str, array: CardArray, t: int) -> None:
        if array.ndim != 1 or array.dtype != np.int32 or array.shape[0] < t:
            raise _fault(op, f"{array.shape} {array.dtype} for an int32 a token, {t} of them")

    def _lists(self, op: str, lists: CardArray, counts: CardArray, t: int, at_least: int = 0) -> int:
        self._ints(op, counts, t)
        if lists.ndim != 2 or lists.dtype != np.int32 or lists.shape[0] < t or lists.shape[1] < at_least:
            raise _fault(op, f"lists {lists.shape} {lists.dtype} for {t} tokens of {at_least}")
        return int(lists.shape[1])

    def _rows(self, op: str, rows: CardArray, fmt: RowFormat, n: int) -> None:
        if fmt.name not in CARD_FORMATS:
            raise _fault(op, f"rows in {fmt.name}, known are {', '.join(CARD_FORMATS)}")
        if rows.ndim != 2 or rows.dtype != np.uint8 or rows.shape[1] != fmt.stride(n):
            raise _fault(op, f"rows {rows.shape} {rows.dtype} are not {fmt.name} rows of {n} values")

    def _activation(self, op: str, activation: str) -> int:
        if activation not in ACTIVATIONS:
            raise _fault(op, f"activation {activation}, known are {', '.join(ACTIVATIONS)}")
        return ACTIVATIONS.index(activation)

    def _cache(self, op: str, layout: HeadLayout, cache: CardCache) -> tuple[int, int]:
        """(positions, padded head width)."""
        keys = cache.keys
        if keys.ndim != 3 or keys.dtype not in _CACHE_KINDS or layout.heads % layout.key_heads:
            raise _fault(op, f"a cache of {keys.shape} {keys.dtype} for {layout}")
        _, context, padded = keys.shape
        is_int8 = cache.kind == "int8"
        groups = (layout.key_heads, context, padded // GROUP)
        scales_fit = all(
            (scales is not None and scales.shape == groups) if is_int8 else scales is None
            for scales in (cache.key_scales, cache.value_scales)
        )
        if (
            keys.shape[0] != layout.key_heads or cache.values.shape != keys.shape or not scales_fit
            or cache.values.dtype != keys.dtype or padded != round_up(layout.head_width, GROUP if is_int8 else 8)
            or padded > MOST_HEAD_WIDTH
        ):  # fmt: skip
            raise _fault(op, f"a cache of {keys.shape} {keys.dtype} and its scales for {layout}")
        return int(context), int(padded)


def _fault(op: str, detail: str) -> InternalError:
    return InternalError("CardOps", f"{op}: {detail}")
