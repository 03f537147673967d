// The processor in a card's place: enough of CUDA C for our kernels' sources to be compiled by g++ (or clang) and run.
//
// A block's threads are fibers on one thread of the system; __syncthreads, __syncwarp and shuffles switch fibers. The
// fibers run in the order of their numbers or in the reverse order: a right kernel gives the same bits in both.
// Found out, and reported as the launch's error: threads that wait for each other at different places, exited lanes in a
// warp's mask, misaligned accesses and indices beyond an array (compiled with -fsanitize), accesses beyond the memory
// (with guard pages). Shared memory is 0xff before every block, so that reading it unwritten shows. Numbers too small
// to be normal are zero, as in what CuPy compiles (-ftz=true).
// Not here: wmma, cp.async, cooperative groups, inline PTX, textures, memory order between blocks.
// Dynamic shared memory must be declared as `extern __shared__ __align__(16) unsigned char smem[];`.
#pragma once
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utility>
#if defined(__linux__)
#include <link.h>
#endif
#if !(defined(__x86_64__) && defined(__ELF__)) && !defined(EMU_UCONTEXT)
#define EMU_UCONTEXT
#endif
#if defined(EMU_UCONTEXT)
#if defined(__APPLE__) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 600
#endif
#include <ucontext.h>
#endif

#define __global__
#define __device__
#define __host__
#define __constant__ const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __shared__ thread_local /* in a function also static; fits `extern __shared__ … smem[]` as well */
#define EMU_SHARED (48 * 1024)
alignas(128) thread_local unsigned char smem[EMU_SHARED];

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
};
#define EMU_VECTOR(T, N, A, ...) \
    struct alignas(A) N {        \
        T __VA_ARGS__;           \
    };
EMU_VECTOR(float, float2, 8, x, y)
EMU_VECTOR(float, float4, 16, x, y, z, w)
EMU_VECTOR(int, int2, 8, x, y)
EMU_VECTOR(int, int4, 16, x, y, z, w)
EMU_VECTOR(unsigned, uint2, 8, x, y)
EMU_VECTOR(unsigned, uint4, 16, x, y, z, w)
EMU_VECTOR(signed char, char4, 4, x, y, z, w)
EMU_VECTOR(unsigned char, uchar4, 4, x, y, z, w)
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return {x, y, z, w}; }
inline uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) { return {x, y, z, w}; }

// ---- half
struct alignas(2) __half {
    _Float16 v;
    __half() = default;
    __half(float f) : v((_Float16)f) {}
    operator float() const { return (float)v; }
};
struct alignas(4) __half2 {
    __half x, y;
};
typedef __half half;
typedef __half2 half2;
inline float __half2float(__half h) { return (float)h.v; }
inline __half __float2half(float f) { return __half(f); }
inline __half __float2half_rn(float f) { return __half(f); }
inline float2 __half22float2(__half2 h) { return {(float)h.x.v, (float)h.y.v}; }
inline __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline float __low2float(__half2 a) { return (float)a.x.v; }
inline float __high2float(__half2 a) { return (float)a.y.v; }
inline __half __ushort_as_half(unsigned short u) {
    __half h;
    memcpy(&h, &u, 2);
    return h;
}
inline unsigned short __half_as_ushort(__half h) {
    unsigned short u;
    memcpy(&u, &h, 2);
    return u;
}

// ---- arithmetic
template <class T>
constexpr T min(T a, T b) { return b < a ? b : a; }
template <class T>
constexpr T max(T a, T b) { return a < b ? b : a; }
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 4; ++i) c += (int)(int8_t)(a >> (8 * i)) * (int)(int8_t)(b >> (8 * i));
    return c;
}
template <class T>
inline T __ldg(const T* p) { return *p; }
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    uint64_t both = (uint64_t)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; ++i) {
        unsigned byte = (unsigned)(both >> (8 * (s >> (4 * i) & 7))) & 0xffu;
        r |= (s >> (4 * i) & 8 ? (byte & 0x80u ? 0xffu : 0u) : byte) << (8 * i);
    }
    return r;
}
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fsqrt_rn(float a) { return sqrtf(a); }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline int __float2int_rn(float x) { return (int)rintf(x); }
inline int __float2int_rz(float x) { return (int)x; }
inline int __float2int_rd(float x) { return (int)floorf(x); }
inline int __float2int_ru(float x) { return (int)ceilf(x); }
inline float __int2float_rn(int x) { return (float)x; }
inline float __uint2float_rn(unsigned x) { return (float)x; }
template <class To, class From>
inline To emu_as(From from) {
    static_assert(sizeof(To) == sizeof(From), "of one size");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}
inline float __int_as_float(int i) { return emu_as<float>(i); }
inline int __float_as_int(float f) { return emu_as<int>(f); }
inline float __uint_as_float(unsigned i) { return emu_as<float>(i); }
inline unsigned __float_as_uint(float f) { return emu_as<unsigned>(f); }

// ---- fibers
namespace emu {
constexpr size_t STACK = 64 * 1024;
constexpr uint64_t CANARY = 0x5eed0fca11ab1e5dull;
enum State : uint8_t { READY, AT_BARRIER, AT_WARP, DONE };

// As `launch.py` lays it out.
struct Launch {
    unsigned grid[3], block[3], shared, os_threads, poisons, reverses, catches;
};

#if defined(EMU_UCONTEXT)
typedef ucontext_t Place;
#else
typedef void* Place;
#endif

struct Fiber {
    Place place;
    dim3 tid;
    unsigned number;
    State state;
};
struct Warp {
    uint64_t slot[2][32];
    uint32_t arrived, needed, live;
    unsigned parity;
};
struct Block {
    dim3 idx, bdim, gdim;
    unsigned n, live, at_barrier;
    int barrier, votes_or, votes_sum, told_or, told_sum;
    Fiber* fibers;
    Warp* warps;
    char* stacks;
    Place main;
    void (*kernel)(void**);
    void** args;
    bool reverses;
    char error[400];
};
inline thread_local Block* B = nullptr;
inline thread_local Fiber* cur = nullptr;

#if defined(EMU_UCONTEXT)
inline void go(Place& from, Place& to) { swapcontext(&from, &to); }
#else
extern "C" __attribute__((visibility("hidden"))) void emu_switch(void** save, void* load);
asm(R"(
.text
.p2align 4
.weak emu_switch
.hidden emu_switch
.type emu_switch,@function
emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp,(%rdi)
  movq %rsi,%rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size emu_switch,.-emu_switch
)");
inline void go(Place& from, Place& to) { emu_switch(&from, to); }
#endif

void retire();
inline void begin() {
    B->kernel(B->args);
    retire();
    __builtin_trap();
}
inline void make_ready(Fiber& f, char* stack) {
    *(uint64_t*)stack = CANARY;
    f.state = READY;
#if defined(EMU_UCONTEXT)
    getcontext(&f.place);
    f.place.uc_stack.ss_sp = stack + sizeof CANARY;
    f.place.uc_stack.ss_size = STACK - sizeof CANARY;
    f.place.uc_link = nullptr;
    makecontext(&f.place, (void (*)())begin, 0);
#else
    void** s = (void**)(stack + STACK);
    *--s = nullptr;
    *--s = (void*)&begin;
    for (int i = 0; i < 6; ++i) *--s = nullptr;
    f.place = s;
#endif
}
inline void to_main() {
    Fiber* me = cur;
    cur = nullptr;
    go(me->place, B->main);
}
// On to the next fiber that is ready; to the block's runner when there is none: all done, or all waiting.
inline void yield_() {
    Block* b = B;
    Fiber* me = cur;
    for (unsigned k = 1; k <= b->n; ++k) {
        unsigned j = b->reverses ? me->number + b->n - k : me->number + k;
        if (j >= b->n) j -= b->n;
        Fiber& other = b->fibers[j];
        if (other.state != READY) continue;
        if (&other == me) return;
        cur = &other;
        go(me->place, other.place);
        return;
    }
    to_main();
}
inline void fail(const char* what, const char* file = "", unsigned line = 0) {
    if (!B || !cur) abort();
    char where[120] = "";
    if (line) snprintf(where, sizeof where, " at %s:%u", file, line);
    if (!B->error[0])
        snprintf(B->error, sizeof B->error, "%s%s (block %u,%u,%u thread %u,%u,%u)", what, where, B->idx.x, B->idx.y,
                 B->idx.z, cur->tid.x, cur->tid.y, cur->tid.z);
    cur->state = DONE;
    to_main();
    __builtin_trap();
}
inline void open_barrier() {
    Block* b = B;
    for (unsigned i = 0; i < b->n; ++i)
        if (b->fibers[i].state == AT_BARRIER) b->fibers[i].state = READY;
    b->at_barrier = 0;
    b->told_or = b->votes_or, b->told_sum = b->votes_sum;
    b->votes_or = b->votes_sum = 0;
}
inline void retire() {
    Block* b = B;
    Fiber* me = cur;
    Warp& w = b->warps[me->number / 32];
    me->state = DONE;
    --b->live;
    w.live &= ~(1u << (me->number % 32));
    if (w.needed >> (me->number % 32) & 1) fail("a lane that a warp's mask names has exited");
    if (b->at_barrier && b->at_barrier == b->live) open_barrier();
    if (b->live == 0) to_main();
    yield_();
}
inline void sync_block(int line, int vote) {
    Block* b = B;
    if (b->at_barrier && b->barrier != line) fail("threads of a block wait at different barriers", "line", line);
    b->barrier = line;
    b->votes_or |= vote != 0;
    b->votes_sum += vote != 0;
    cur->state = AT_BARRIER;
    if (++b->at_barrier == b->live) {
        open_barrier();
        return;
    }
    yield_();
}
inline void open_warp(unsigned number) {
    Warp& w = B->warps[number];
    for (unsigned l = 0; l < 32 && number * 32 + l < B->n; ++l)
        if (w.needed >> l & 1 && B->fibers[number * 32 + l].state == AT_WARP) B->fibers[number * 32 + l].state = READY;
    w.needed = w.arrived = 0;
    w.parity ^= 1;
}
// All lanes of the mask meet; returns which of the two rows of slots they have written.
inline unsigned meet(uint32_t mask, uint64_t value) {
    Block* b = B;
    Fiber* me = cur;
    unsigned number = me->number / 32, lane = me->number % 32;
    Warp& w = b->warps[number];
    uint32_t full = b->n - number * 32 >= 32 ? 0xffffffffu : (1u << (b->n - number * 32)) - 1;
    uint32_t needed = mask & full;
    if (!(mask >> lane & 1)) fail("the calling lane is not in the warp's mask");
    if (needed & ~w.live) fail("the warp's mask names a lane that has exited");
    if (w.needed && w.needed != needed) fail("lanes of a warp meet with different masks");
    unsigned row = w.parity;
    w.slot[row][lane] = value;
    w.needed = needed;
    w.arrived |= 1u << lane;
    me->state = AT_WARP;
    if (w.arrived == needed)
        open_warp(number);
    else
        yield_();
    return row;
}
template <class T>
inline T shuffle(uint32_t mask, T value, int source, int width) {
    static_assert(sizeof(T) <= 8, "shuffles move at most eight bytes");
    uint64_t raw = 0;
    memcpy(&raw, &value, sizeof value);
    unsigned lane = cur->number % 32, number = cur->number / 32, row = meet(mask, raw);
    int base = (int)lane & ~(width - 1);
    if (source < base || source >= base + width) source = (int)lane;
    if (!(mask >> source & 1) || number * 32 + source >= B->n) fail("a shuffle reads a lane outside its mask");
    T read;
    memcpy(&read, &B->warps[number].slot[row][source], sizeof read);
    return read;
}

// ---- launches
struct Shared {
    unsigned char* start;
    size_t n_bytes;
};
#if defined(__linux__)
inline int find_shared(dl_phdr_info* info, size_t, void* found) {
    uintptr_t here = (uintptr_t)&find_shared;
    bool ours = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& p = info->dlpi_phdr[i];
        if (p.p_type == PT_LOAD) ours |= here - (info->dlpi_addr + p.p_vaddr) < p.p_memsz;
    }
    for (int i = 0; ours && i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data)
            *(Shared*)found = {(unsigned char*)info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz};
    return ours;
}
#endif
// All thread-local memory of this library, which is its shared memory and the two pointers above.
inline Shared shared_of_this_thread() {
    *(volatile unsigned char*)smem = 0;
    Shared found = {smem, sizeof smem};
#if defined(__linux__)
    dl_iterate_phdr(find_shared, &found);
#endif
    return found;
}

// Numbers too small to be normal are zero while this lives, on this thread.
struct FlushToZero {
#if defined(__x86_64__)
    unsigned before = __builtin_ia32_stmxcsr();
    FlushToZero() { __builtin_ia32_ldmxcsr(before | 0x8040u); }
    ~FlushToZero() { __builtin_ia32_ldmxcsr(before); }
#elif defined(__aarch64__)
    uint64_t before;
    FlushToZero() {
        asm volatile("mrs %0, fpcr" : "=r"(before));
        asm volatile("msr fpcr, %0" : : "r"(before | 1ull << 24));
    }
    ~FlushToZero() { asm volatile("msr fpcr, %0" : : "r"(before)); }
#endif
};

struct Work {
    const Launch* launch;
    void (*kernel)(void**);
    void** args;
    char* error;
    size_t error_size;
    size_t next, total;
    int bad;
};
inline char* spare_stacks = nullptr;
inline size_t spare_size = 0;
inline pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;

inline char* take_stacks(size_t size) {
    pthread_mutex_lock(&spare_lock);
    char* taken = spare_size >= size ? spare_stacks : nullptr;
    if (taken) spare_stacks = nullptr, spare_size = 0;
    pthread_mutex_unlock(&spare_lock);
    void* made = taken;
    if (!made && posix_memalign(&made, 4096, size)) return nullptr;
    return (char*)made;
}
inline void return_stacks(char* stacks, size_t size) {
    pthread_mutex_lock(&spare_lock);
    if (size > spare_size) std::swap(stacks, spare_stacks), std::swap(size, spare_size);
    pthread_mutex_unlock(&spare_lock);
    free(stacks);
}
inline void run_block(Block& b, dim3 idx) {
    B = &b;
    b.idx = idx;
    b.live = b.n;
    b.at_barrier = 0;
    b.votes_or = b.votes_sum = b.told_or = b.told_sum = 0;
    for (unsigned i = 0; i < b.n; ++i) {
        Fiber& f = b.fibers[i];
        f.number = i;
        f.tid = {i % b.bdim.x, i / b.bdim.x % b.bdim.y, i / b.bdim.x / b.bdim.y};
        make_ready(f, b.stacks + (size_t)i * STACK);
    }
    for (unsigned i = 0; i < (b.n + 31) / 32; ++i) {
        unsigned m = b.n - i * 32;
        b.warps[i].arrived = b.warps[i].needed = b.warps[i].parity = 0;
        b.warps[i].live = m >= 32 ? 0xffffffffu : (1u << m) - 1;
    }
    cur = &b.fibers[b.reverses ? b.n - 1 : 0];
    go(b.main, cur->place);
    if (!b.error[0] && b.live) {
        unsigned at_barrier = 0, at_warp = 0;
        for (unsigned i = 0; i < b.n; ++i)
            at_barrier += b.fibers[i].state == AT_BARRIER, at_warp += b.fibers[i].state == AT_WARP;
        snprintf(b.error, sizeof b.error,
                 "nothing goes on: %u threads at a barrier, %u at a warp operation, %u exited (block %u,%u,%u)",
                 at_barrier, at_warp, b.n - b.live, idx.x, idx.y, idx.z);
    }
    for (unsigned i = 0; i < b.n && !b.error[0]; ++i)
        if (*(uint64_t*)(b.stacks + (size_t)i * STACK) != CANARY)
            snprintf(b.error, sizeof b.error, "a thread's local memory outgrew its stack of %zu bytes", STACK);
    B = nullptr, cur = nullptr;
}
inline void* run_blocks(void* given) {
    Work& work = *(Work*)given;
    const Launch& launch = *work.launch;
    Block b{};
    b.bdim = {launch.block[0], launch.block[1], launch.block[2]};
    b.gdim = {launch.grid[0], launch.grid[1], launch.grid[2]};
    b.n = b.bdim.x * b.bdim.y * b.bdim.z;
    b.kernel = work.kernel, b.args = work.args, b.reverses = launch.reverses;
    b.fibers = new Fiber[b.n];
    b.warps = new Warp[(b.n + 31) / 32];
    b.stacks = take_stacks(b.n * STACK);
    if (!b.stacks) snprintf(b.error, sizeof b.error, "no memory for the threads' stacks");
    Shared shared = shared_of_this_thread();
    FlushToZero flushing;
    for (size_t i; b.stacks && !__atomic_load_n(&work.bad, __ATOMIC_RELAXED) &&
                   (i = __atomic_fetch_add(&work.next, 1, __ATOMIC_RELAXED)) < work.total;) {
        if (launch.reverses) i = work.total - 1 - i;
        if (launch.poisons) memset(shared.start, 0xff, shared.n_bytes);
        run_block(b, {(unsigned)(i % b.gdim.x), (unsigned)(i / b.gdim.x % b.gdim.y),
                      (unsigned)(i / b.gdim.x / b.gdim.y)});
        if (b.error[0]) break;
    }
    if (b.error[0] && !__atomic_exchange_n(&work.bad, 1, __ATOMIC_RELAXED))
        snprintf(work.error, work.error_size, "%s", b.error);
    if (b.stacks) return_stacks(b.stacks, b.n * STACK);
    delete[] b.fibers;
    delete[] b.warps;
    return nullptr;
}

// A kernel's access to memory that is not there, on the fiber's own stack.
inline struct sigaction before_segv, before_bus;
inline void on_fault(int number, siginfo_t* info, void* context) {
    if (B && cur) {
        char what[80];
        snprintf(what, sizeof what, "an access outside the card's memory, at %p", info->si_addr);
        fail(what);
    }
    struct sigaction& before = number == SIGBUS ? before_bus : before_segv;
    if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction(number, info, context);
    if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) return before.sa_handler(number);
    signal(number, SIG_DFL);
}

inline int run(void (*kernel)(void**), void** args, const Launch* launch, char* error, size_t error_size) {
    Work work{launch, kernel, args, error, error_size, 0, 0, 0};
    work.total = (size_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    if (launch->catches) {
        struct sigaction ours {};
        ours.sa_sigaction = on_fault;
        ours.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigaction(SIGSEGV, &ours, &before_segv);
        sigaction(SIGBUS, &ours, &before_bus);
    }
    pthread_t threads[64];
    unsigned started = 0;
    for (; started + 1 < min(launch->os_threads, 64u); ++started)
        if (pthread_create(&threads[started], nullptr, run_blocks, &work)) break;
    run_blocks(&work);
    for (unsigned i = 0; i < started; ++i) pthread_join(threads[i], nullptr);
    if (launch->catches) {
        sigaction(SIGSEGV, &before_segv, nullptr);
        sigaction(SIGBUS, &before_bus, nullptr);
    }
    return work.bad;
}
template <class... A, size_t... I>
inline void call(void (*kernel)(A...), void** args, std::index_sequence<I...>) {
    kernel(*(std::remove_reference_t<A>*)args[I]...);
}
template <class... A>
inline void call(void (*kernel)(A...), void** args) {
    call(kernel, args, std::index_sequence_for<A...>{});
}
template <class T>
inline T add_atomically(T* p, T v) {
    T old, sum;
    __atomic_load(p, &old, __ATOMIC_RELAXED);
    do sum = old + v;
    while (!__atomic_compare_exchange(p, &old, &sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
}
}  // namespace emu

#define threadIdx (emu::cur->tid)
#define blockIdx (emu::B->idx)
#define blockDim (emu::B->bdim)
#define gridDim (emu::B->gdim)
#define warpSize 32
#define __syncthreads() emu::sync_block(__LINE__, 0)
#define __syncthreads_or(vote) (emu::sync_block(__LINE__, (vote) != 0), emu::B->told_or)
#define __syncthreads_count(vote) (emu::sync_block(__LINE__, (vote) != 0), emu::B->told_sum)
inline void __syncwarp(unsigned mask = 0xffffffffu) { emu::meet(mask, 0); }
inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T>
inline T __shfl_sync(unsigned m, T v, int source, int w = 32) {
    return emu::shuffle(m, v, (int)(emu::cur->number % 32 & ~(unsigned)(w - 1)) + (source & (w - 1)), w);
}
template <class T>
inline T __shfl_xor_sync(unsigned m, T v, int o, int w = 32) {
    return emu::shuffle(m, v, (int)(emu::cur->number % 32) ^ o, w);
}
template <class T>
inline T __shfl_down_sync(unsigned m, T v, unsigned o, int w = 32) {
    return emu::shuffle(m, v, (int)(emu::cur->number % 32 + o), w);
}
template <class T>
inline T __shfl_up_sync(unsigned m, T v, unsigned o, int w = 32) {
    return emu::shuffle(m, v, (int)(emu::cur->number % 32) - (int)o, w);
}
inline unsigned __ballot_sync(unsigned m, int p) {
    unsigned number = emu::cur->number / 32, row = emu::meet(m, p != 0), votes = 0;
    for (unsigned i = 0; i < 32 && number * 32 + i < emu::B->n; ++i)
        if (m >> i & 1) votes |= (unsigned)(emu::B->warps[number].slot[row][i] & 1) << i;
    return votes;
}
inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
inline int __all_sync(unsigned m, int p) { return __ballot_sync(m, !p) == 0; }
inline float atomicAdd(float* p, float v) { return emu::add_atomically(p, v); }
inline int atomicAdd(int* p, int v) { return emu::add_atomically(p, v); }
inline unsigned atomicAdd(unsigned* p, unsigned v) { return emu::add_atomically(p, v); }

// ---- what -fsanitize calls where an access is wrong: reported as the kernel's own fault, without a library for it
struct EmuPlace {
    const char* file;
    unsigned line, column;
};
#define EMU_HIDDEN extern "C" __attribute__((visibility("hidden"), used)) inline
EMU_HIDDEN void __ubsan_handle_type_mismatch_v1(void* data, void*) {
    emu::fail("a misaligned access", ((EmuPlace*)data)->file, ((EmuPlace*)data)->line);
}
EMU_HIDDEN void __ubsan_handle_out_of_bounds(void* data, void*) {
    emu::fail("an index beyond its array", ((EmuPlace*)data)->file, ((EmuPlace*)data)->line);
}
EMU_HIDDEN void __ubsan_handle_shift_out_of_bounds(void* data, void*, void*) {
    emu::fail("a shift by a negative number or too many bits", ((EmuPlace*)data)->file, ((EmuPlace*)data)->line);
}

#define EMU_EXPORT(k)                                                                                       \
    extern "C" __attribute__((visibility("default"))) int emu__##k(void** args, const emu::Launch* launch,  \
                                                                   char* error, size_t error_size) {        \
        return emu::run([](void** a) { emu::call(&k, a); }, args, launch, error, error_size);               \
    }
