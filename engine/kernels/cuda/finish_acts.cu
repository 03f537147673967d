// acts[t, :counts[t]] = activation(acts) * ups, and how many of them are not zero; see reference.feed_forward.
//
// Acts are those that are alive, so that relu, fatrelu and drelu leave them as they are. With drelu neurons whose up
// product is not positive become zero too. `ups` may be null. One block a token.
#include "warp.cuh"

enum { SILU, RELU, FATRELU, DRELU, RELU2 };

extern "C" __global__ void __launch_bounds__(1024) finish_acts(
    float* __restrict__ acts, int ld_acts, const float* __restrict__ ups, int ld_ups, const int* __restrict__ counts,
    int activation, int* __restrict__ active) {
    __shared__ int held[32];
    const int t = blockIdx.x, n = counts[t];
    acts += (size_t)t * ld_acts;
    int here = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float a = acts[i];
        if (activation == SILU) a = a / (1.f + expf(-a));
        if (activation == RELU2) a = a * a;
        if (ups) {
            const float u = ups[(size_t)t * ld_ups + i];
            a = activation == DRELU && u <= 0.f ? 0.f : a * u;
        }
        acts[i] = a;
        here += a != 0.f;
    }
    here = block_sum(here, held);
    if (threadIdx.x == 0) active[t] = here;
}
