// What a card hides, each fault alone: the emulated card must find every one of them. Never run on a real card.
extern "C" __global__ void exited_lane(int* out)
{
    if (threadIdx.x < 16) return;
    out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
}

extern "C" __global__ void lane_not_in_mask(int* out)
{
    out[threadIdx.x] = __shfl_sync(0x0000ffffu, (int)threadIdx.x, 0);
}

extern "C" __global__ void barrier_in_a_branch(int* out)
{
    if (threadIdx.x & 1)
        __syncthreads();
    else
        out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);
}

extern "C" __global__ void two_barriers(int* out)
{
    if (threadIdx.x & 1) {
        out[threadIdx.x] = 1;
        __syncthreads();
    } else {
        out[threadIdx.x] = 2;
        __syncthreads();
    }
}

extern "C" __global__ void misaligned(const int* x, int* out)
{
    const int4 four = *reinterpret_cast<const int4*>(x + 1);
    out[threadIdx.x] = four.x;
}

extern "C" __global__ void beyond_an_array(int* out)
{
    __shared__ int held[32];
    held[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = held[threadIdx.x + (out[threadIdx.x] ? 1 : 0)];
}

extern "C" __global__ void missing_barrier(int* out)
{
    __shared__ int held[64];
    held[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = held[63 - threadIdx.x];
}

extern "C" __global__ void with_barrier(int* out)
{
    __shared__ int held[64];
    held[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = held[63 - threadIdx.x];
}

extern "C" __global__ void missing_warp_barrier(int* out)
{
    __shared__ int held[32];
    held[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = held[threadIdx.x ^ 1];
}

extern "C" __global__ void order_of_blocks(int* out)
{
    out[0] = blockIdx.x;
}

extern "C" __global__ void unwritten_shared(float* out)
{
    __shared__ float held[64];
    if (threadIdx.x < 32) held[threadIdx.x] = 1.f;
    __syncthreads();
    out[threadIdx.x] = held[threadIdx.x];
}

extern "C" __global__ void unwritten_dynamic(float* out)
{
    extern __shared__ __align__(16) unsigned char smem[];
    float* held = reinterpret_cast<float*>(smem);
    if (threadIdx.x < 32) held[threadIdx.x] = 1.f;
    __syncthreads();
    out[threadIdx.x] = held[threadIdx.x];
}

extern "C" __global__ void reads_beyond(const float* x, float* out, int n)
{
    out[threadIdx.x] = x[threadIdx.x + n];
}

extern "C" __global__ void writes_beyond(float* x, int n)
{
    if (threadIdx.x == 0) x[n] = 1.f;
}
