// Dot products of rows with the activations of one or a few tokens.
//
// A warp takes a row; the block's warps share the activations, which stand in shared memory in the order in which
// lanes want them: the pieces of one turn of a warp, for each token and part. Several tokens share one reading of a row. A token's sum is taken in the same
// order whatever the number of tokens and the length of a chunk.
#pragma once
#include "rows.cuh"

#define PRODUCT_THREADS 256
#define PRODUCT_ROWS (PRODUCT_THREADS / WARP)

// `pieces` pieces of x (TOKENS, ld) from piece `first` on, zeros past n values and past `tokens` tokens, whole turns.
template <class Rows, int TOKENS>
__device__ __forceinline__ void stage(
    float4* staged, const float* __restrict__ x, int ld, int n, int tokens, int first, int pieces) {
    const int quads = (pieces + WARP - 1) / WARP * WARP * Rows::QUADS;
#pragma unroll 1
    for (int t = 0; t < TOKENS; ++t) {
        const float* values = x + (size_t)min(t, tokens - 1) * ld;
        const int known = t < tokens ? n : 0;
#pragma unroll 1
        for (int q = threadIdx.x; q < quads; q += PRODUCT_THREADS) {
            const int v = 4 * (first * Rows::QUADS + q), piece = Rows::piece_of(q), part = Rows::part_of(q);
            const float4 quad = make_float4(
                v < known ? values[v] : 0.f, v + 1 < known ? values[v + 1] : 0.f,
                v + 2 < known ? values[v + 2] : 0.f, v + 3 < known ? values[v + 3] : 0.f);
            staged[((piece / WARP * TOKENS + t) * Rows::QUADS + part) * WARP + piece % WARP] = quad;
        }
    }
}

template <class Rows, int TOKENS>
__device__ __forceinline__ void multiply(
    const float4* staged, const unsigned char* __restrict__ row, int width, float unit, int first, int last,
    float (&sums)[TOKENS]) {
    constexpr int IN_GROUP = Rows::QUADS / Rows::GROUPS;
    // more at once and many tokens would not fit the registers
    constexpr int AT_ONCE = TOKENS <= 2 ? IN_GROUP : TOKENS == 4 && IN_GROUP > 1 ? 2 : 1;
    staged += lane_of();
#pragma unroll(TOKENS == 1 ? 3 : 1)
    for (int turn = first; turn < last; turn += WARP) {
        typename Rows::Piece p = {};
        if (turn + lane_of() < last) p = Rows::read(row, width, turn + lane_of(), unit);
#pragma unroll
        for (int group = 0; group < Rows::GROUPS; ++group) {
            float part[TOKENS];
#pragma unroll
            for (int t = 0; t < TOKENS; ++t) part[t] = 0.f;
#pragma unroll(AT_ONCE)
            for (int j = 0; j < IN_GROUP; ++j) {
                const int at = group * IN_GROUP + j;
                const float4 w = Rows::quad(p, at);
#pragma unroll
                for (int t = 0; t < TOKENS; ++t) {
                    if (t > 0 && t % 2 == 0) __syncwarp();  // so that no more is fetched ahead than fits the registers
                    const float4 v = staged[(t * Rows::QUADS + at) * WARP];
                    part[t] = fmaf(w.x, v.x, part[t]);
                    part[t] = fmaf(w.y, v.y, part[t]);
                    part[t] = fmaf(w.z, v.z, part[t]);
                    part[t] = fmaf(w.w, v.w, part[t]);
                }
            }
#pragma unroll
            for (int t = 0; t < TOKENS; ++t) sums[t] = fmaf(p.scale[group], part[t], sums[t]);
        }
        staged += TOKENS * Rows::QUADS * WARP;
    }
}

// out[t, i] = rows[list ? list[i] : i] · x[t] (+ bias of that row) for i < n_rows; see `reference.matvec`.
// `chunk` pieces are staged at a time: all, or whole turns of a warp.
template <class Rows, int TOKENS>
__device__ __forceinline__ void products(
    float4* staged, const unsigned char* __restrict__ rows, int stride, int width, const int* __restrict__ list,
    int n_rows, const float* __restrict__ x, int ld_x, int n, const float* __restrict__ bias,
    float* __restrict__ out, int ld_out, int tokens, int is_rectified, int chunk) {
    const int pieces = pieces_of<Rows>(width);
    const bool staged_once = chunk >= pieces;
    if (staged_once && (int)blockIdx.x * PRODUCT_ROWS < n_rows) {
        stage<Rows, TOKENS>(staged, x, ld_x, n, tokens, 0, pieces);
        __syncthreads();
    }
    for (int base = blockIdx.x * PRODUCT_ROWS; base < n_rows; base += gridDim.x * PRODUCT_ROWS) {
        const int i = base + warp_of();
        const int number = i >= n_rows ? 0 : list ? list[i] : i;
        const unsigned char* row = rows + (size_t)number * stride;
        const float unit = i < n_rows ? Rows::unit(row, width) : 0.f;
        float sums[TOKENS];
#pragma unroll
        for (int t = 0; t < TOKENS; ++t) sums[t] = 0.f;
        for (int first = 0; first < pieces; first += chunk) {
            const int here = min(chunk, pieces - first);
            if (!staged_once) {
                __syncthreads();
                stage<Rows, TOKENS>(staged, x, ld_x, n, tokens, first, here);
                __syncthreads();
            }
            if (i < n_rows) multiply<Rows, TOKENS>(staged, row, width, unit, first, first + here, sums);
        }
        if (i >= n_rows) continue;
        const float constant = bias ? bias[number] : 0.f;
#pragma unroll
        for (int t = 0; t < TOKENS; ++t) {
            const float y = fmaf(warp_sum(sums[t]), unit, constant);
            if (lane_of() == 0 && t < tokens) out[(size_t)t * ld_out + i] = is_rectified ? fmaxf(y, 0.f) : y;
        }
    }
}
