// target (t, d) += a + b + c, in this order; b and c may be null. A part whose `ld` is 0 is added to every token.
#include "warp.cuh"

extern "C" __global__ void __launch_bounds__(256) add(
    float* __restrict__ target, int ld_target, const float* __restrict__ a, int ld_a, const float* __restrict__ b,
    int ld_b, const float* __restrict__ c, int ld_c, int d) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, t = blockIdx.y;
    if (i >= d) return;
    float total = target[(size_t)t * ld_target + i] + a[(size_t)t * ld_a + i];
    if (b) total += b[(size_t)t * ld_b + i];
    if (c) total += c[(size_t)t * ld_c + i];
    target[(size_t)t * ld_target + i] = total;
}
