// Rotary positions of queries and keys, in place, and the new keys and values into the cache.
//
// A warp takes one head of one token: queries (heads), then keys, then values (key_heads each), as they stand in qkv.
// The pairs (i, i + rotary / 2) are rotated as reference.rope does, each product rounded, as the processor's are: the
// rows of the cache are the same bits from the same qkv. Table (tokens, 2, rotary / 2), each token's own; may be null.
// positions[t] outside the cache writes nothing.
#include "cache.cuh"

template <class Value>
__device__ __forceinline__ void rotate_head(
    float* qkv, int ld, const float* table, const int* positions, int heads, int key_heads, int width, int rotary,
    Value* keys, Value* values, float* key_scales, float* value_scales, int context, int padded) {
    const int head = blockIdx.x * warps_of_block() + warp_of(), t = blockIdx.y, half = rotary / 2;
    if (head >= heads + 2 * key_heads) return;
    float* row = qkv + (size_t)t * ld + (size_t)head * width;
    if (table && head < heads + key_heads) {
        const float* cosines = table + (size_t)t * rotary;
        for (int i = lane_of(); i < half; i += WARP) {
            const float cosine = cosines[i], sine = cosines[half + i], a = row[i], b = row[half + i];
            row[i] = __fsub_rn(__fmul_rn(a, cosine), __fmul_rn(b, sine));
            row[half + i] = __fadd_rn(__fmul_rn(a, sine), __fmul_rn(b, cosine));
        }
    }
    __syncwarp();
    const int position = positions[t];
    if (head < heads || position < 0 || position >= context) return;
    const bool is_key = head < heads + key_heads;
    const size_t at = (size_t)(is_key ? head - heads : head - heads - key_heads) * context + position;
    append_row(is_key ? keys : values, is_key ? key_scales : value_scales, at, padded, row, width);
}

#define ROTATE_AND_APPEND(name, Value)                                                                                \
    extern "C" __global__ void __launch_bounds__(128, 8) name(                                                        \
        float* qkv, int ld, const float* table, const int* positions, int heads, int key_heads, int width,            \
        int rotary, Value* keys, Value* values, float* key_scales, float* value_scales, int context, int padded) {    \
        rotate_head(qkv, ld, table, positions, heads, key_heads, width, rotary, keys, values, key_scales,             \
                    value_scales, context, padded);                                                                   \
    }

ROTATE_AND_APPEND(rotate_and_append_int8, signed char)
ROTATE_AND_APPEND(rotate_and_append_f16, __half)
ROTATE_AND_APPEND(rotate_and_append_f32, float)
