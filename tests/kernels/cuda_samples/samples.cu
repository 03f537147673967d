// Kernels for tests of the emulated card and of the compile matrix: what ours use of CUDA C, and nothing else.
#include "sums.cuh"

#define ROWS_OF_A_BLOCK 8

// y[r] = w[listed[r]] · x, a warp for each row; x staged in shared memory, k a multiple of 8.
extern "C" __global__ void __launch_bounds__(256)
dots_f16(const __half* __restrict__ w, const __half* __restrict__ x, const int* __restrict__ listed,
         float* __restrict__ y, int n, int k)
{
    extern __shared__ __align__(16) unsigned char smem[];
    __half2* staged = reinterpret_cast<__half2*>(smem);
    for (int i = threadIdx.x; i < k / 2; i += blockDim.x) staged[i] = reinterpret_cast<const __half2*>(x)[i];
    __syncthreads();
    const int lane = threadIdx.x % WARP, r = blockIdx.x * ROWS_OF_A_BLOCK + threadIdx.x / WARP;
    if (r >= n) return;
    const uint4* row = reinterpret_cast<const uint4*>(w + (size_t)__ldg(listed + r) * k);
    float sum = 0.f;
    for (int i = lane; i < k / 8; i += WARP) {
        const uint4 eight = __ldg(row + i);
        const unsigned pairs[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const float2 a = __half22float2(*reinterpret_cast<const __half2*>(&pairs[j]));
            const float2 b = __half22float2(staged[4 * i + j]);
            sum = fmaf(a.y, b.y, fmaf(a.x, b.x, sum));
        }
    }
    sum = warp_sum(sum);
    if (lane == 0) y[r] = sum;
}

// y[r] = w[r] · x in integers; k a multiple of 16.
extern "C" __global__ void __launch_bounds__(256)
dots_int8(const signed char* __restrict__ w, const signed char* __restrict__ x, int* __restrict__ y, int n, int k)
{
    const int lane = threadIdx.x % WARP, r = blockIdx.x * ROWS_OF_A_BLOCK + threadIdx.x / WARP;
    if (r >= n) return;
    int sum = 0;
    for (int i = lane; i < k / 16; i += WARP) {
        const int4 a = reinterpret_cast<const int4*>(w + (size_t)r * k)[i], b = reinterpret_cast<const int4*>(x)[i];
        sum = __dp4a(a.w, b.w, __dp4a(a.z, b.z, __dp4a(a.y, b.y, __dp4a(a.x, b.x, sum))));
    }
    sum = warp_sum(sum);
    if (lane == 0) y[r] = sum;
}

// The numbers of the values above zero, ascending, by one block; `count` is how many.
extern "C" __global__ void __launch_bounds__(1024) positives(const float* x, int n, int* listed, int* count)
{
    __shared__ int of_warp[WARP];
    __shared__ int before;
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    if (threadIdx.x == 0) before = 0;
    for (int at = 0; at < n; at += blockDim.x) {
        const int i = at + threadIdx.x;
        const bool found = i < n && x[i] > 0.f;
        const unsigned votes = __ballot_sync(ALL, found);
        if (lane == 0) of_warp[warp] = __popc(votes);
        __syncthreads();
        int place = before + __popc(votes & ((1u << lane) - 1));
        for (int w = 0; w < warp; ++w) place += of_warp[w];
        if (found) listed[place] = i;
        __syncthreads();
        if (threadIdx.x == 0)
            for (int w = 0; w < warps; ++w) before += of_warp[w];
        __syncthreads();
    }
    if (threadIdx.x == 0) *count = before;
}

// x += add, on three axes of blocks and threads.
extern "C" __global__ void add_number(float* x, float add, int n)
{
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const int i = block * blockDim.x * blockDim.y * blockDim.z + thread;
    if (i < n) x[i] += add;
}

// Prefix sums over a warp, and votes: each kind of warp operation once. out (7, 32).
extern "C" __global__ void warp_kinds(const int* x, int* out)
{
    const int lane = threadIdx.x;
    const int v = x[lane];
    int prefix = v;
    for (int away = 1; away < WARP; away *= 2) {
        const int below = __shfl_up_sync(ALL, prefix, away);
        if (lane >= away) prefix += below;
    }
    out[lane] = prefix;
    out[32 + lane] = __shfl_down_sync(ALL, v, 1, 8);
    out[64 + lane] = __shfl_xor_sync(ALL, v, 5);
    out[96 + lane] = __shfl_sync(ALL, v, 3, 16);
    out[128 + lane] = (int)__ballot_sync(ALL, v & 1);
    out[160 + lane] = __any_sync(ALL, v == 7) * 2 + __all_sync(ALL, v >= 0);
    out[192 + lane] = __syncthreads_or(v == 7) * 100 + __syncthreads_count(v & 1);
}

// Takes its time, so that tests see work overlap: `rounds` of nothing useful.
extern "C" __global__ void busy(float* x, int rounds)
{
    float v = x[threadIdx.x];
    for (int i = 0; i < rounds; ++i) v = sinf(v) + 1.f;
    x[threadIdx.x] = v;
}

// Bias where there is one: a null pointer otherwise.
extern "C" __global__ void add_bias(float* x, const float* bias, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += bias ? bias[i] : 1.f;
}
