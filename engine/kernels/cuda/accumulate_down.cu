// out[t] = Σ over listed neurons of acts[t, i] * rows[lists[t, i]]; see reference.accumulate_down.
//
// A block takes a tile of columns, one piece a lane, and an equal part of a token's list, whose neurons its warps take
// in turns. Warps are added in their order, and so are the parts, by a second kernel: no result depends on which block
// came first. Rows of neurons that are exactly zero are not read.
#include "rows.cuh"

#define DOWN_THREADS 256
#define DOWN_WARPS (DOWN_THREADS / WARP)

template <class Rows, int AT_ONCE>
__device__ __forceinline__ void add_part(
    float4 (&held)[DOWN_WARPS][Rows::QUADS][WARP], const float* __restrict__ acts, const int* __restrict__ list,
    int count, const unsigned char* __restrict__ rows, int stride, int width, float* __restrict__ partial) {
    constexpr int IN_GROUP = Rows::QUADS / Rows::GROUPS;
    const int lane = lane_of(), warp = warp_of(), piece = blockIdx.x * WARP + lane;
    const bool is_inside = piece < pieces_of<Rows>(width);
    const int parts = gridDim.y, part = blockIdx.y;
    const int begin = (int)((long long)count * part / parts), end = (int)((long long)count * (part + 1) / parts);
    float4 sums[Rows::QUADS];
#pragma unroll
    for (int j = 0; j < Rows::QUADS; ++j) sums[j] = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int i = begin + warp; i < end; i += DOWN_WARPS * AT_ONCE) {
        typename Rows::Piece pieces[AT_ONCE];
        float factors[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            const int at = i + DOWN_WARPS * k;
            const float act = at < end ? acts[at] : 0.f;
            factors[k] = 0.f;
            pieces[k] = {};
            if (act != 0.f && (Rows::UNIT_BY_WARP || is_inside)) {
                const unsigned char* row = rows + (size_t)list[at] * stride;
                const float unit = Rows::unit(row, width);
                if (is_inside) pieces[k] = Rows::read(row, width, piece, unit);
                factors[k] = act * unit;
            }
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
#pragma unroll
            for (int j = 0; j < Rows::QUADS; ++j) {
                const float factor = factors[k] * pieces[k].scale[j / IN_GROUP];
                const float4 w = Rows::quad(pieces[k], j);
                sums[j].x = fmaf(factor, w.x, sums[j].x);
                sums[j].y = fmaf(factor, w.y, sums[j].y);
                sums[j].z = fmaf(factor, w.z, sums[j].z);
                sums[j].w = fmaf(factor, w.w, sums[j].w);
            }
        }
    }
#pragma unroll
    for (int j = 0; j < Rows::QUADS; ++j) held[warp][j][lane] = sums[j];
    __syncthreads();
    for (int slot = threadIdx.x; slot < Rows::QUADS * WARP; slot += DOWN_THREADS) {
        const int j = slot / WARP, l = slot % WARP, at = blockIdx.x * WARP + l;
        if (at >= pieces_of<Rows>(width)) continue;
        float4 total = held[0][j][l];
        for (int w = 1; w < DOWN_WARPS; ++w) {
            const float4 more = held[w][j][l];
            total = make_float4(total.x + more.x, total.y + more.y, total.z + more.z, total.w + more.w);
        }
        reinterpret_cast<float4*>(partial)[Rows::place(at, j)] = total;
    }
}

// partials (parts, tokens, width): grid (tiles of columns, parts, tokens).
#define ACCUMULATE_DOWN(name, Rows, at_once)                                                                          \
    extern "C" __global__ void __launch_bounds__(256, 4) name(                                                        \
        const float* __restrict__ acts, int ld_acts, const int* __restrict__ lists, int slots,                        \
        const int* __restrict__ counts, const unsigned char* __restrict__ rows, int stride, int width,                \
        float* __restrict__ partials) {                                                                               \
        __shared__ float4 held[DOWN_WARPS][Rows::QUADS][WARP];                                                        \
        const int t = blockIdx.z;                                                                                     \
        add_part<Rows, at_once>(held, acts + (size_t)t * ld_acts, lists + (size_t)t * slots, counts[t], rows, stride, \
                                width, partials + (size_t)(blockIdx.y * gridDim.z + t) * width);                      \
    }

ACCUMULATE_DOWN(accumulate_down_int8, Int8Rows, 4)
ACCUMULATE_DOWN(accumulate_down_int8_prompt, Int8PromptRows, 2)
ACCUMULATE_DOWN(accumulate_down_int4, Int4Rows, 2)
ACCUMULATE_DOWN(accumulate_down_f16, F16Rows, 4)
ACCUMULATE_DOWN(accumulate_down_f32, F32Rows, 4)

// out[t, i] = Σ over parts of partials[part, t, i], in their order: grid (blocks of columns, tokens).
extern "C" __global__ void __launch_bounds__(256) add_parts(
    const float* __restrict__ partials, int parts, int width, float* __restrict__ out, int ld_out, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = blockIdx.y, tokens = gridDim.y;
    if (i >= d) return;
    float total = 0.f;
    for (int part = 0; part < parts; ++part) total += partials[(size_t)(part * tokens + t) * width + i];
    out[(size_t)t * ld_out + i] = total;
}
