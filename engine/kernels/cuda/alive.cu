// Which neurons go on: the alive of a first product, or a predictor's candidates, listed in ascending order.
//
// One block a token. Each warp takes ITEMS rows of 32 neighbours; ballots say who stays, and a warp's first place is
// what stayed in the warps before it. A tile is read whole before its survivors are written, and they never go beyond
// it, so that acts and lists are compacted in place.
#include "warp.cuh"

#define ITEMS 8
#define MOST_WARPS 32

template <class Keeps>
__device__ __forceinline__ void keep(
    const Keeps& keeps, float* values, const int* numbers, int* list, int* count, int n, bool moves_values) {
    __shared__ int held[MOST_WARPS];
    const int lane = lane_of(), warp = warp_of(), warps = warps_of_block();
    int filled = 0;
    for (int base = 0; base < n; base += warps * ITEMS * WARP) {
        float value[ITEMS];
        int number[ITEMS];
        unsigned stays[ITEMS];
        int here = 0;
#pragma unroll
        for (int j = 0; j < ITEMS; ++j) {
            const int i = base + (warp * ITEMS + j) * WARP + lane;
            value[j] = i < n ? values[i] : 0.f;
            number[j] = i < n && numbers ? numbers[i] : i;
            stays[j] = __ballot_sync(ALL_LANES, i < n && keeps(value[j]));
            here += __popc(stays[j]);
        }
        if (lane == 0) held[warp] = here;
        __syncthreads();
        int at = filled;
        for (int w = 0; w < warps; ++w) {
            if (w < warp) at += held[w];
            filled += held[w];
        }
#pragma unroll
        for (int j = 0; j < ITEMS; ++j) {
            if (stays[j] >> lane & 1u) {
                const int place = at + __popc(stays[j] & ((1u << lane) - 1u));
                list[place] = number[j];
                if (moves_values) values[place] = value[j];
            }
            at += __popc(stays[j]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *count = filled;
}

struct AtLeast {
    float least;
    // what is no number stays, to be noticed in what comes of it
    __device__ __forceinline__ bool operator()(float v) const { return !(v <= 0.f || v < least); }
};

struct Any {
    __device__ __forceinline__ bool operator()(float) const { return true; }
};

// Neurons 0 … n of each token.
extern "C" __global__ void __launch_bounds__(1024) alive_of_all(
    float* acts, int ld_acts, int* lists, int slots, int* counts, int n, float least, int keeps_all) {
    const int t = blockIdx.x;
    float* values = acts + (size_t)t * ld_acts;
    int* list = lists + (size_t)t * slots;
    if (keeps_all)
        keep(Any{}, values, nullptr, list, counts + t, n, false);
    else
        keep(AtLeast{least}, values, nullptr, list, counts + t, n, true);
}

// The neurons that are listed already.
extern "C" __global__ void __launch_bounds__(1024) alive_of_listed(
    float* acts, int ld_acts, int* lists, int slots, int* counts, float least) {
    const int t = blockIdx.x;
    int* list = lists + (size_t)t * slots;
    keep(AtLeast{least}, acts + (size_t)t * ld_acts, list, list, counts + t, counts[t], true);
}

// Those of a positive score; the scores stay where they are.
extern "C" __global__ void __launch_bounds__(1024) candidates(
    float* scores, int ld_scores, int* lists, int slots, int* counts, int n) {
    const int t = blockIdx.x;
    keep(AtLeast{0.f}, scores + (size_t)t * ld_scores, nullptr, lists + (size_t)t * slots, counts + t, n, false);
}
