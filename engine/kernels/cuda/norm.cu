// Norms of the activations of each token; see reference.rms_norm and reference.layer_norm. One block a token; `out` may be `x`.
#include "warp.cuh"

extern "C" __global__ void __launch_bounds__(1024) rms_norm(
    const float* x, int ld_x, const float* __restrict__ weight, float eps, float* out,
    int ld_out, int d) {
    __shared__ float held[32];
    x += (size_t)blockIdx.x * ld_x;
    out += (size_t)blockIdx.x * ld_out;
    float squares = 0.f;
    for (int i = threadIdx.x; i < d; i += blockDim.x) squares = fmaf(x[i], x[i], squares);
    const float factor = 1.f / sqrtf(block_sum(squares, held) / (float)d + eps);
    for (int i = threadIdx.x; i < d; i += blockDim.x) out[i] = x[i] * factor * weight[i];
}

extern "C" __global__ void __launch_bounds__(1024) layer_norm(
    const float* x, int ld_x, const float* __restrict__ weight, const float* __restrict__ bias, float eps,
    float* out, int ld_out, int d) {
    __shared__ float held[32];
    x += (size_t)blockIdx.x * ld_x;
    out += (size_t)blockIdx.x * ld_out;
    float total = 0.f;
    for (int i = threadIdx.x; i < d; i += blockDim.x) total += x[i];
    const float mean = block_sum(total, held) / (float)d;
    float squares = 0.f;
    for (int i = threadIdx.x; i < d; i += blockDim.x) squares = fmaf(x[i] - mean, x[i] - mean, squares);
    const float factor = 1.f / sqrtf(block_sum(squares, held) / (float)d + eps);
    for (int i = threadIdx.x; i < d; i += blockDim.x) out[i] = fmaf((x[i] - mean) * factor, weight[i], bias[i]);
}

extern "C" __global__ void __launch_bounds__(1024) copy_rows(
    const float* x, int ld_x, float* out, int ld_out, int d) {
    for (int i = threadIdx.x; i < d; i += blockDim.x)
        out[(size_t)blockIdx.x * ld_out + i] = x[(size_t)blockIdx.x * ld_x + i];
}
