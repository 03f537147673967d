// What the threads of a warp and of a block do together. Sums are taken in one order, so that the same input gives
// the same bits; products that are summed are written as fmaf, so that no compiler decides where to round.
#pragma once
#include <cuda_fp16.h>

#define WARP 32
#define ALL_LANES 0xffffffffu

__device__ __forceinline__ int lane_of() { return (int)threadIdx.x & (WARP - 1); }

__device__ __forceinline__ int warp_of() { return (int)threadIdx.x / WARP; }

__device__ __forceinline__ int warps_of_block() { return ((int)blockDim.x + WARP - 1) / WARP; }

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
    for (int away = WARP / 2; away > 0; away >>= 1) v += __shfl_xor_sync(ALL_LANES, v, away);
    return v;
}

__device__ __forceinline__ int warp_sum(int v) {
#pragma unroll
    for (int away = WARP / 2; away > 0; away >>= 1) v += __shfl_xor_sync(ALL_LANES, v, away);
    return v;
}

__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
    for (int away = WARP / 2; away > 0; away >>= 1) v = fmaxf(v, __shfl_xor_sync(ALL_LANES, v, away));
    return v;
}

// The sum over a block of whole warps, in every thread; `held` is shared memory for a value a warp.
template <class T>
__device__ __forceinline__ T block_sum(T v, T* held) {
    v = warp_sum(v);
    __syncthreads();
    if (lane_of() == 0) held[warp_of()] = v;
    __syncthreads();
    T total = held[0];
    for (int w = 1; w < warps_of_block(); ++w) total += held[w];
    return total;
}

// The largest of non-negative values of a block of whole warps, in every thread; `held` as above.
__device__ __forceinline__ float block_max(float v, float* held) {
    v = warp_max(v);
    __syncthreads();
    if (lane_of() == 0) held[warp_of()] = v;
    __syncthreads();
    float most = held[0];
    for (int w = 1; w < warps_of_block(); ++w) most = fmaxf(most, held[w]);
    return most;
}
