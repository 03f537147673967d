// flags[t, i] = 1 where neuron i of token t is listed and not zero, else 0. One block a token.
#include "warp.cuh"

extern "C" __global__ void __launch_bounds__(1024) fired(
    const int* __restrict__ lists, int slots, const float* __restrict__ acts, int ld_acts,
    const int* __restrict__ counts, unsigned char* flags, int n) {
    const int t = blockIdx.x, count = counts[t];
    flags += (size_t)t * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) flags[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        if (acts[(size_t)t * ld_acts + i] != 0.f) flags[lists[(size_t)t * slots + i]] = 1;
}
