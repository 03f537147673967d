// Attention of each token's query heads over the cache up to its own position; see reference.attention.
//
// The positions a token sees are cut into tiles of 32, tiles into as many splits as the grid has, so that a long context
// uses the whole card. A block takes one split, one token and up to QUERIES query heads of one key head, which share
// the reading of keys and values. Softmax is computed as tiles come (Milakov and Gimelshein, 2018; splits as in
// Flash-Decoding, Dao et al., 2023); a second kernel merges the splits in their order.
#include "cache.cuh"

#define ATTENTION_THREADS 128
#define ATTENTION_WARPS (ATTENTION_THREADS / WARP)
#define TILE 32
#define QUERIES 8
#define COLUMNS 2  // a thread's, so that heads are at most 256 wide
#define LOWEST -1e30f

// Positions first … last of one head as floats, rows `stride` apart.
template <class Value>
__device__ __forceinline__ void fetch_tile(
    float* tile, int stride, const Value* rows, const float* scales, size_t first_row, int n, int padded) {
    const int quads = padded / 4;
    for (int i = threadIdx.x; i < n * quads; i += ATTENTION_THREADS) {
        const int row = i / quads, quad = i % quads;
        *reinterpret_cast<float4*>(tile + row * stride + 4 * quad) =
            cached_quad(rows, scales, first_row * padded + 4 * (size_t)i);
    }
}

// partials (tokens, heads, splits, padded + 2): sums of weighted values, then the largest score and the sum of weights.
template <class Value>
__device__ __forceinline__ void attend(
    float* shared, const float* __restrict__ qkv, int ld, const int* __restrict__ positions, int heads, int key_heads,
    int width, const Value* __restrict__ keys, const Value* __restrict__ values, const float* __restrict__ key_scales,
    const float* __restrict__ value_scales, int context, int padded, int window, float scale,
    float* __restrict__ partials) {
    __shared__ float parts[ATTENTION_WARPS][QUERIES][TILE];
    __shared__ float weights[QUERIES][TILE];
    __shared__ float shrink[QUERIES];
    const int lane = lane_of(), warp = warp_of(), t = blockIdx.z, splits = gridDim.x, split = blockIdx.x;
    const int of_key = heads / key_heads, turns = (of_key + QUERIES - 1) / QUERIES;
    const int key_head = blockIdx.y / turns, first_query = blockIdx.y % turns * QUERIES;
    const int queries = min(QUERIES, of_key - first_query), head = key_head * of_key + first_query;
    const int stride = padded + 4, quads = padded / 4;
    float* tile = shared;
    float* query = shared + TILE * stride;
    for (int i = threadIdx.x; i < queries * padded; i += ATTENTION_THREADS) {
        const int q = i / padded, c = i % padded;
        query[i] = c < width ? scale * qkv[(size_t)t * ld + (size_t)(head + q) * width + c] : 0.f;
    }
    const int seen = min(positions[t] + 1, context), from = window > 0 ? max(0, seen - window) : 0;
    const int tiles = (seen - from + TILE - 1) / TILE;
    const int last_tile = (int)((long long)tiles * (split + 1) / splits);
    float largest[QUERIES / ATTENTION_WARPS], total[QUERIES / ATTENTION_WARPS], sums[QUERIES][COLUMNS];
#pragma unroll
    for (int j = 0; j < QUERIES / ATTENTION_WARPS; ++j) {
        largest[j] = LOWEST;
        total[j] = 0.f;
    }
#pragma unroll
    for (int q = 0; q < QUERIES; ++q) {
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) sums[q][j] = 0.f;
    }
    for (int at = (int)((long long)tiles * split / splits); at < last_tile; ++at) {
        const int first = from + at * TILE, n = min(TILE, seen - first);
        const size_t first_row = (size_t)key_head * context + first;
        __syncthreads();
        fetch_tile(tile, stride, keys, key_scales, first_row, n, padded);
        __syncthreads();
        // A lane has a position, a warp a quarter of the head's width.
        const int begin = quads * warp / ATTENTION_WARPS, end = quads * (warp + 1) / ATTENTION_WARPS;
        float products[QUERIES];
#pragma unroll
        for (int q = 0; q < QUERIES; ++q) products[q] = 0.f;
        if (lane < n) {
#pragma unroll 1
            for (int i = begin; i < end; ++i) {
                const float4 k = *reinterpret_cast<const float4*>(tile + lane * stride + 4 * i);
#pragma unroll
                for (int q = 0; q < QUERIES; ++q) {
                    if (q >= queries) break;
                    const float4 v = *reinterpret_cast<const float4*>(query + q * padded + 4 * i);
                    products[q] = fmaf(k.x, v.x, products[q]);
                    products[q] = fmaf(k.y, v.y, products[q]);
                    products[q] = fmaf(k.z, v.z, products[q]);
                    products[q] = fmaf(k.w, v.w, products[q]);
                }
            }
        }
#pragma unroll
        for (int q = 0; q < QUERIES; ++q) parts[warp][q][lane] = products[q];
        __syncthreads();
        fetch_tile(tile, stride, values, value_scales, first_row, n, padded);
#pragma unroll
        for (int j = 0; j < QUERIES / ATTENTION_WARPS; ++j) {
            const int q = warp + j * ATTENTION_WARPS;
            if (q < queries) {
                float score = parts[0][q][lane];
                for (int w = 1; w < ATTENTION_WARPS; ++w) score += parts[w][q][lane];
                const float most = fmaxf(largest[j], warp_max(lane < n ? score : LOWEST));
                const float weight = lane < n ? expf(score - most) : 0.f, smaller = expf(largest[j] - most);
                total[j] = fmaf(total[j], smaller, warp_sum(weight));
                largest[j] = most;
                weights[q][lane] = weight;
                if (lane == 0) shrink[q] = smaller;
            }
        }
        __syncthreads();
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            const int c = threadIdx.x + j * ATTENTION_THREADS;
            if (c >= width) continue;
#pragma unroll
            for (int q = 0; q < QUERIES; ++q)
                if (q < queries) sums[q][j] *= shrink[q];
#pragma unroll 2
            for (int p = 0; p < n; ++p) {
                const float v = tile[p * stride + c];
#pragma unroll
                for (int q = 0; q < QUERIES; ++q)
                    if (q < queries) sums[q][j] = fmaf(weights[q][p], v, sums[q][j]);
            }
        }
    }
#pragma unroll
    for (int q = 0; q < QUERIES; ++q) {
        if (q >= queries) break;
        float* partial = partials + (((size_t)t * heads + head + q) * splits + split) * (padded + 2);
#pragma unroll
        for (int j = 0; j < COLUMNS; ++j) {
            const int c = threadIdx.x + j * ATTENTION_THREADS;
            if (c < width) partial[c] = sums[q][j];
        }
    }
#pragma unroll
    for (int j = 0; j < QUERIES / ATTENTION_WARPS; ++j) {
        const int q = warp + j * ATTENTION_WARPS;
        if (q < queries && lane == 0) {
            float* partial = partials + (((size_t)t * heads + head + q) * splits + split) * (padded + 2);
            partial[padded] = largest[j];
            partial[padded + 1] = total[j];
        }
    }
}

// Grid (splits, key heads * turns, tokens); shared: TILE rows of padded + 4 and QUERIES rows of padded floats.
#define ATTENTION(name, Value)                                                                                        \
    extern "C" __global__ void __launch_bounds__(128, 8) name(                                                        \
        const float* __restrict__ qkv, int ld, const int* __restrict__ positions, int heads, int key_heads,           \
        int width, const Value* __restrict__ keys, const Value* __restrict__ values,                                  \
        const float* __restrict__ key_scales, const float* __restrict__ value_scales, int context, int padded,        \
        int window, float scale, float* __restrict__ partials) {                                                      \
        extern __shared__ __align__(16) unsigned char smem[];                                                         \
        attend(reinterpret_cast<float*>(smem), qkv, ld, positions, heads, key_heads, width, keys, values, key_scales, \
               value_scales, context, padded, window, scale, partials);                                               \
    }

ATTENTION(attention_int8, signed char)
ATTENTION(attention_f16, __half)
ATTENTION(attention_f32, float)

// out[t, head * width + c]: grid (heads, tokens).
extern "C" __global__ void __launch_bounds__(128) merge_splits(
    const float* __restrict__ partials, int splits, int padded, int width, float* __restrict__ out, int ld_out) {
    const int head = blockIdx.x, t = blockIdx.y;
    const float* own = partials + ((size_t)t * gridDim.x + head) * splits * (padded + 2);
    float most = LOWEST, total = 0.f;
    for (int s = 0; s < splits; ++s) most = fmaxf(most, own[s * (padded + 2) + padded]);
    for (int s = 0; s < splits; ++s)
        total = fmaf(own[s * (padded + 2) + padded + 1], expf(own[s * (padded + 2) + padded] - most), total);
    for (int c = threadIdx.x; c < width; c += blockDim.x) {
        float sum = 0.f;
        for (int s = 0; s < splits; ++s)
            sum = fmaf(own[s * (padded + 2) + c], expf(own[s * (padded + 2) + padded] - most), sum);
        out[(size_t)t * ld_out + (size_t)head * width + c] = sum / total;
    }
}
