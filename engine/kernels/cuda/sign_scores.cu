// scores[t, i] = on how many of d values the signs of x[t] and of row i agree, less d / 2, plus bias; see
// reference.sign_scores. A block packs the signs of all tokens once; a warp takes a row of `words` pairs of 32 bits.
#include "warp.cuh"

extern "C" __global__ void __launch_bounds__(256) sign_scores(
    const float* __restrict__ x, int ld_x, int d, const unsigned int* __restrict__ signs, int words, int n,
    const float* __restrict__ bias, float* __restrict__ scores, int ld_scores, int tokens) {
    extern __shared__ __align__(16) unsigned char smem[];
    unsigned int* packed = reinterpret_cast<unsigned int*>(smem);
    const int lane = lane_of(), warps = warps_of_block();
    for (int t = 0; t < tokens; ++t) {
        for (int word = warp_of(); word < words; word += warps) {
            const int i = word * WARP + lane;
            const unsigned int below = __ballot_sync(ALL_LANES, i < d && x[(size_t)t * ld_x + i] < 0.f);
            if (lane == 0) packed[t * words + word] = below;
        }
    }
    __syncthreads();
    for (int row = blockIdx.x * warps + warp_of(); row < n; row += gridDim.x * warps) {
        const uint2* own = reinterpret_cast<const uint2*>(signs + (size_t)row * words);
        for (int t = 0; t < tokens; ++t) {
            const uint2* seen = reinterpret_cast<const uint2*>(packed + t * words);
            int differing = 0;
            for (int i = lane; i < words / 2; i += WARP) {
                const uint2 a = __ldg(own + i), b = seen[i];
                differing += __popc(a.x ^ b.x) + __popc(a.y ^ b.y);
            }
            differing = warp_sum(differing);
            if (lane == 0) scores[(size_t)t * ld_scores + row] = (float)(d - 2 * differing) * 0.5f + bias[row];
        }
    }
}
