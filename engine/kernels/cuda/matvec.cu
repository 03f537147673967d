// out (t, r) = x (t, n) · rowsᵀ + bias, every row; see reference.matvec.
#include "products.cuh"

#define MATVEC(name, Rows)                                                                                            \
    extern "C" __global__ void __launch_bounds__(256) name(                                                           \
        const unsigned char* __restrict__ rows, int stride, int width, int n_rows, const float* __restrict__ x,       \
        int ld_x, int n, const float* __restrict__ bias, float* __restrict__ out, int ld_out, int tokens,             \
        int is_rectified, int chunk) {                                                                                \
        extern __shared__ __align__(16) unsigned char smem[];                                                         \
        float4* staged = reinterpret_cast<float4*>(smem);                                                             \
        if (tokens == 1)                                                                                              \
            products<Rows, 1>(staged, rows, stride, width, nullptr, n_rows, x, ld_x, n, bias, out, ld_out, tokens,    \
                              is_rectified, chunk);                                                                   \
        else if (tokens == 2)                                                                                         \
            products<Rows, 2>(staged, rows, stride, width, nullptr, n_rows, x, ld_x, n, bias, out, ld_out, tokens,    \
                              is_rectified, chunk);                                                                   \
        else if (tokens <= 4)                                                                                         \
            products<Rows, 4>(staged, rows, stride, width, nullptr, n_rows, x, ld_x, n, bias, out, ld_out, tokens,    \
                              is_rectified, chunk);                                                                   \
        else                                                                                                          \
            products<Rows, 8>(staged, rows, stride, width, nullptr, n_rows, x, ld_x, n, bias, out, ld_out, tokens,    \
                              is_rectified, chunk);                                                                   \
    }

MATVEC(matvec_int8, Int8Rows)
MATVEC(matvec_int4, Int4Rows)
MATVEC(matvec_f16, F16Rows)
MATVEC(matvec_f32, F32Rows)
