// out[t, i] = rows[lists[t, i]] · x[t] + bias of that row, for i < counts[t]; see reference.matvec.
// How many rows a token lists is known on the card only: the grid is for the worst case, blocks beyond a count leave.
#include "products.cuh"

#define MATVEC_LISTED(name, Rows)                                                                                     \
    extern "C" __global__ void __launch_bounds__(256, 4) name(                                                        \
        const unsigned char* __restrict__ rows, int stride, int width, const int* __restrict__ lists, int slots,      \
        const int* __restrict__ counts, const float* __restrict__ x, int ld_x, int n,                                 \
        const float* __restrict__ bias, float* __restrict__ out, int ld_out, int chunk) {                             \
        extern __shared__ __align__(16) unsigned char smem[];                                                         \
        const int t = blockIdx.y;                                                                                     \
        products<Rows, 1>(reinterpret_cast<float4*>(smem), rows, stride, width, lists + (size_t)t * slots, counts[t], \
                          x + (size_t)t * ld_x, ld_x, n, bias, out + (size_t)t * ld_out, ld_out, 1, 0, chunk);        \
    }

MATVEC_LISTED(matvec_listed_int8, Int8Rows)
MATVEC_LISTED(matvec_listed_int8_prompt, Int8PromptRows)
MATVEC_LISTED(matvec_listed_int4, Int4Rows)
MATVEC_LISTED(matvec_listed_f16, F16Rows)
MATVEC_LISTED(matvec_listed_f32, F32Rows)
