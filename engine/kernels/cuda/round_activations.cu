// Activations as the processor multiplies them with packed rows: integers times their unit, as floats; see
// reference.round_activations and reference.round_prompt. `out` may be `x`. Every operation rounds as the processor's does, so that the same
// activations give the same bits on both sides.
//
// A value that is no number, or infinite, makes an infinite unit, and that makes all it is multiplied with no number.
#include "rows.cuh"

__device__ __forceinline__ float size_of(float v) {
    return __fmul_rn(v, 0.f) == 0.f ? fabsf(v) : __int_as_float(0x7f800000);
}

__device__ __forceinline__ float largest_of(const float* x, int n, float* held) {
    float most = 0.f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, size_of(x[i]));
    return block_max(most, held);
}

// int8 rows: int16 values, one unit for each run of n values. A block a run: grid (runs, tokens).
extern "C" __global__ void __launch_bounds__(1024) round_for_int8(
    const float* x, int ld_x, int n, float* out, int ld_out) {
    __shared__ float held[32];
    x += (size_t)blockIdx.y * ld_x + (size_t)blockIdx.x * n;
    out += (size_t)blockIdx.y * ld_out + (size_t)blockIdx.x * n;
    const float unit = __fdiv_rn(fmaxf(largest_of(x, n, held), 1e-20f), 32767.f);
    const float inverse = __fdiv_rn(1.f, unit);
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = __fmul_rn(rintf(__fmul_rn(x[i], inverse)), unit);
}

// A prompt: integers up to `largest`, a unit for each `length` values of a token. A block a unit: grid (units, tokens).
extern "C" __global__ void __launch_bounds__(1024) round_for_prompt(
    const float* x, int ld_x, int n, int length, int largest, float* out, int ld_out) {
    __shared__ float held[32];
    const int first = blockIdx.x * length, here = min(length, n - first);
    x += (size_t)blockIdx.y * ld_x + first;
    out += (size_t)blockIdx.y * ld_out + first;
    const float unit = __fdiv_rn(fmaxf(largest_of(x, here, held), 1e-30f), (float)largest);
    const float inverse = __fdiv_rn(1.f, unit);
    for (int i = threadIdx.x; i < here; i += blockDim.x) out[i] = __fmul_rn(rintf(__fmul_rn(x[i], inverse)), unit);
}

// int4 rows: 7 bits with an integer scale a group of 32, and one unit. A warp takes a group.
extern "C" __global__ void __launch_bounds__(1024) round_for_int4(
    const float* x, int ld_x, int n, float* out, int ld_out) {
    __shared__ float held[32];
    x += (size_t)blockIdx.y * ld_x + (size_t)blockIdx.x * n;
    out += (size_t)blockIdx.y * ld_out + (size_t)blockIdx.x * n;
    const float unit = __fdiv_rn(fmaxf(largest_of(x, n, held), 1e-20f), 16129.f);
    for (int first = WARP * warp_of(); first < n; first += WARP * warps_of_block()) {
        const int i = first + lane_of();
        const float v = i < n ? x[i] : 0.f;
        const float exact = __fadd_rn(__fdiv_rn(warp_max(fabsf(v)), __fmul_rn(unit, 127.f)), -1e-4f);
        const float scale = fminf(fmaxf(ceilf(exact), 1.f), 127.f);
        const float rounded = rintf(__fmul_rn(v, __fdiv_rn(1.f, __fmul_rn(unit, scale))));
        if (i < n) out[i] = __fmul_rn(__fmul_rn(rounded, scale), unit);
    }
}

// How many of a list's first `count` numbers, which ascend, are below `number`.
__device__ __forceinline__ int below(const int* __restrict__ list, int count, int number) {
    int first = 0;
    while (first < count) {
        const int middle = (first + count) / 2;
        if (list[middle] < number)
            first = middle + 1;
        else
            count = middle;
    }
    return first;
}

// What a prompt's down rows are multiplied with, in place: `length` neurons share a unit, see
// reference.round_prompt_acts. A block a unit: grid (units, tokens), at least `length` threads.
template <class Rows>
__device__ __forceinline__ void round_prompt_acts(
    float* held, float* acts, int ld, const int* __restrict__ lists, int slots, const int* __restrict__ counts,
    const unsigned char* __restrict__ rows, int stride, int width, int length, int largest) {
    const int* list = lists + (size_t)blockIdx.y * slots;
    const int count = counts[blockIdx.y], end = below(list, count, (blockIdx.x + 1) * length);
    const int i = below(list, count, blockIdx.x * length) + threadIdx.x;
    acts += (size_t)blockIdx.y * ld;
    const float of_row = i < end ? Rows::unit_alone(rows + (size_t)list[i] * stride, width) : 0.f;
    const float v = i < end ? __fmul_rn(acts[i], of_row) : 0.f;
    const float unit = __fdiv_rn(fmaxf(block_max(size_of(v), held), 1e-30f), (float)largest);
    const float rounded = __fmul_rn(rintf(__fmul_rn(v, __fdiv_rn(1.f, unit))), unit);
    if (i < end) acts[i] = of_row == 0.f ? 0.f : __fdiv_rn(rounded, of_row);
}

#define ROUND_PROMPT_ACTS(name, Rows)                                                                                 \
    extern "C" __global__ void __launch_bounds__(1024) name(                                                          \
        float* acts, int ld, const int* __restrict__ lists, int slots, const int* __restrict__ counts,                \
        const unsigned char* __restrict__ rows, int stride, int width, int length, int largest) {                     \
        __shared__ float held[32];                                                                                    \
        round_prompt_acts<Rows>(held, acts, ld, lists, slots, counts, rows, stride, width, length, largest);          \
    }

ROUND_PROMPT_ACTS(round_prompt_acts_int8, Int8PromptRows)
ROUND_PROMPT_ACTS(round_prompt_acts_int4, Int4Rows)
