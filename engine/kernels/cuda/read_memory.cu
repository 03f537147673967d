// Reading the card's memory as fast as it comes, 16 bytes a load: what the kernels of a decode step are held against.
// With n = 0 it is a launch and nothing else.
//
// words  n of 16 bytes
// found  one for each thread of the grid: the exclusive or of all that it read, so that no load can be left out

#define THREADS 256

extern "C" __global__ void __launch_bounds__(THREADS)
read_memory(const uint4* __restrict__ words, unsigned int* __restrict__ found, int n)
{
    const int stride = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int read = 0;
    int i = thread;
#pragma unroll 1
    for (; i < n - 3 * stride; i += 4 * stride) {
        const uint4 a = words[i], b = words[i + stride], c = words[i + 2 * stride], d = words[i + 3 * stride];
        read ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w;
        read ^= c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
    }
#pragma unroll 1
    for (; i < n; i += stride) {
        const uint4 a = words[i];
        read ^= a.x ^ a.y ^ a.z ^ a.w;
    }
    found[thread] = read;
}
