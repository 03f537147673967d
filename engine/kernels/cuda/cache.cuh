// The key/value cache of one layer: for each key head, a row of `padded` values a position, int8 with a float scale for
// each 32 values, float16 or float32; see engine/runtime/kv_cache.py.
#pragma once
#include "warp.cuh"

#define CACHE_GROUP 32

// Write a row of `width` floats, zeros past it, by one warp. `at` is the row's number in its array.
__device__ __forceinline__ void append_row(
    signed char* rows, float* scales, size_t at, int padded, const float* values, int width) {
    for (int first = 0; first < padded; first += CACHE_GROUP) {
        const int i = first + lane_of();
        const float v = i < width ? values[i] : 0.f;
        const float unit = __fdiv_rn(fmaxf(warp_max(fabsf(v)), 1e-30f), 127.f);
        rows[at * padded + i] = (signed char)__float2int_rn(__fmul_rn(v, __fdiv_rn(1.f, unit)));
        if (lane_of() == 0) scales[(at * padded + first) / CACHE_GROUP] = unit;
    }
}

__device__ __forceinline__ void append_row(
    __half* rows, float*, size_t at, int padded, const float* values, int width) {
    for (int i = lane_of(); i < padded; i += WARP) rows[at * padded + i] = __float2half_rn(i < width ? values[i] : 0.f);
}

__device__ __forceinline__ void append_row(
    float* rows, float*, size_t at, int padded, const float* values, int width) {
    for (int i = lane_of(); i < padded; i += WARP) rows[at * padded + i] = i < width ? values[i] : 0.f;
}

// Four values of a cache from value `i` on, a multiple of four.
__device__ __forceinline__ float4 cached_quad(const signed char* rows, const float* scales, size_t i) {
    const char4 q = *reinterpret_cast<const char4*>(rows + i);
    const float scale = scales[i / CACHE_GROUP];
    return make_float4(scale * (float)q.x, scale * (float)q.y, scale * (float)q.z, scale * (float)q.w);
}

__device__ __forceinline__ float4 cached_quad(const __half* rows, const float*, size_t i) {
    const uint2 bits = *reinterpret_cast<const uint2*>(rows + i);
    const float2 a = __half22float2(reinterpret_cast<const __half2*>(&bits)[0]);
    const float2 b = __half22float2(reinterpret_cast<const __half2*>(&bits)[1]);
    return make_float4(a.x, a.y, b.x, b.y);
}

__device__ __forceinline__ float4 cached_quad(const float* rows, const float*, size_t i) {
    return *reinterpret_cast<const float4*>(rows + i);
}
