// target[i] = source[i] for n bytes that do not overlap, 16 at a time where both begin at a multiple of 16.
#include "warp.cuh"

extern "C" __global__ void __launch_bounds__(256) copy(
    const unsigned char* __restrict__ source, unsigned char* __restrict__ target, long long n) {
    const long long stride = (long long)gridDim.x * blockDim.x, first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long done = 0;
    if ((((unsigned long long)source | (unsigned long long)target) & 15u) == 0) {
        done = n / 16 * 16;
        for (long long i = first; i < n / 16; i += stride)
            reinterpret_cast<uint4*>(target)[i] = __ldg(reinterpret_cast<const uint4*>(source) + i);
    }
    for (long long i = done + first; i < n; i += stride) target[i] = source[i];
}
