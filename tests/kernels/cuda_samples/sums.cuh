#pragma once
#include <cuda_fp16.h>

#define WARP 32
#define ALL 0xffffffffu

template <class T>
__device__ __forceinline__ T warp_sum(T v)
{
#pragma unroll
    for (int away = WARP / 2; away > 0; away /= 2) v += __shfl_xor_sync(ALL, v, away);
    return v;
}
