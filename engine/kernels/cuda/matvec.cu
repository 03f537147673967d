// out (t, r) = x (t, n) · rowsᵀ + bias, every row; see reference.matvec. A kernel for each format and for up to 1, 2, 4
// and 8 tokens, so that few tokens take few registers; of a prompt's int8 rows only the last.
#include "products.cuh"

#define MATVEC(name, Rows, most)                                                                                      \
    extern "C" __global__ void __launch_bounds__(256, 4) name(                                                        \
        const unsigned char* __restrict__ rows, int stride, int width, int n_rows, const float* __restrict__ x,       \
        int ld_x, int n, const float* __restrict__ bias, float* __restrict__ out, int ld_out, int tokens,             \
        int is_rectified, int chunk) {                                                                                \
        extern __shared__ __align__(16) unsigned char smem[];                                                         \
        products<Rows, most>(reinterpret_cast<float4*>(smem), rows, stride, width, nullptr, n_rows, x, ld_x, n, bias, \
                             out, ld_out, tokens, is_rectified, chunk);                                               \
    }

MATVEC(matvec_int8_1, Int8Rows, 1)
MATVEC(matvec_int8_2, Int8Rows, 2)
MATVEC(matvec_int8_4, Int8Rows, 4)
MATVEC(matvec_int8_8, Int8Rows, 8)
MATVEC(matvec_int8_prompt_8, Int8PromptRows, 8)
MATVEC(matvec_int4_1, Int4Rows, 1)
MATVEC(matvec_int4_2, Int4Rows, 2)
MATVEC(matvec_int4_4, Int4Rows, 4)
MATVEC(matvec_int4_8, Int4Rows, 8)
MATVEC(matvec_f16_1, F16Rows, 1)
MATVEC(matvec_f16_2, F16Rows, 2)
MATVEC(matvec_f16_4, F16Rows, 4)
MATVEC(matvec_f32_1, F32Rows, 1)
MATVEC(matvec_f32_2, F32Rows, 2)
MATVEC(matvec_f32_4, F32Rows, 4)
MATVEC(matvec_f32_8, F32Rows, 8)

// Told to keep four blocks on a multiprocessor, this one would spill on sm_120; left alone it takes 48 registers there.
extern "C" __global__ void __launch_bounds__(256) matvec_f16_8(
    const unsigned char* __restrict__ rows, int stride, int width, int n_rows, const float* __restrict__ x, int ld_x,
    int n, const float* __restrict__ bias, float* __restrict__ out, int ld_out, int tokens, int is_rectified,
    int chunk) {
    extern __shared__ __align__(16) unsigned char smem[];
    products<F16Rows, 8>(reinterpret_cast<float4*>(smem), rows, stride, width, nullptr, n_rows, x, ld_x, n, bias, out,
                         ld_out, tokens, is_rectified, chunk);
}
