// Rows of weights as engine/kernels/formats.py lays them, expanded to float.
//
// A row is read in pieces of 16 bytes, one a lane. A piece expands to QUADS quads of four values, in GROUPS groups that
// have a scale each; a quad's place in the row is `place` (in quads), and `piece_of` and `part_of` invert it. `width` is
// the number of values in a stored row, zeros included; rows are 16-byte aligned. `unit` is what the row's sum is still
// multiplied by; it is told to `read`, and with UNIT_BY_WARP all lanes of a warp find that of the same row together.
#pragma once
#include "warp.cuh"

__device__ __forceinline__ unsigned word_of(const uint4& bits, int i) {
    return i == 0 ? bits.x : i == 1 ? bits.y : i == 2 ? bits.z : bits.w;
}

// Four bytes as floats without the conversion, which most cards do at a quarter of the rate: a byte in the lowest bits
// of 2^23 is 2^23 + b; `origin` takes it back to where zero is.
__device__ __forceinline__ float4 bytes_as_floats(unsigned word, float origin) {
    constexpr unsigned TWO_TO_23 = 0x4b000000u;
    return make_float4(
        __uint_as_float(__byte_perm(word, TWO_TO_23, 0x7440)) - origin,
        __uint_as_float(__byte_perm(word, TWO_TO_23, 0x7441)) - origin,
        __uint_as_float(__byte_perm(word, TWO_TO_23, 0x7442)) - origin,
        __uint_as_float(__byte_perm(word, TWO_TO_23, 0x7443)) - origin);
}

struct Int8Rows {
    static constexpr int QUADS = 4;
    static constexpr int GROUPS = 1;
    static constexpr bool UNIT_BY_WARP = false;
    struct Piece {
        uint4 bits;
        float scale[GROUPS];
    };
    static __device__ __forceinline__ int place(int piece, int part) { return 4 * piece + part; }
    static __device__ __forceinline__ int piece_of(int quad) { return quad / 4; }
    static __device__ __forceinline__ int part_of(int quad) { return quad % 4; }
    static __device__ __forceinline__ Piece read(const unsigned char* row, int width, int piece, float) {
        const int values_at = (2 * (width / 32) + 31) / 32 * 32;
        Piece p;
        p.bits = __ldg(reinterpret_cast<const uint4*>(row + values_at) + piece);
        p.scale[0] = __half2float(reinterpret_cast<const __half*>(row)[piece / 2]);
        return p;
    }
    static __device__ __forceinline__ float unit(const unsigned char*, int) { return 1.f; }
    static __device__ __forceinline__ float4 quad(const Piece& p, int part) {
        return bytes_as_floats(word_of(p.bits, part) ^ 0x80808080u, 8388736.f);
    }
};

// int8 rows as the processor multiplies a prompt with them: as int16 in a unit of the row; see reference.int16_rows.
struct Int8PromptRows {
    static constexpr int QUADS = 4;
    static constexpr int GROUPS = 1;
    static constexpr bool UNIT_BY_WARP = true;
    struct Piece {
        uint4 bits;
        float scale[GROUPS];
        int ratio;
    };
    static __device__ __forceinline__ int place(int piece, int part) { return 4 * piece + part; }
    static __device__ __forceinline__ int piece_of(int quad) { return quad / 4; }
    static __device__ __forceinline__ int part_of(int quad) { return quad % 4; }
    static __device__ __forceinline__ Piece read(const unsigned char* row, int width, int piece, float unit) {
        const Int8Rows::Piece stored = Int8Rows::read(row, width, piece, unit);
        const float ratio = unit == 0.f ? 0.f : rintf(__fmul_rn(stored.scale[0], __fdiv_rn(1024.f, unit)));
        return {stored.bits, {1.f}, (int)ratio};
    }
    static __device__ __forceinline__ float of_largest(float scale) {
        return __fmul_rn(scale, (float)(32768.0 / (32 * 32767)));
    }
    static __device__ __forceinline__ float unit(const unsigned char* row, int width) {
        float most = 0.f;
        for (int group = lane_of(); group < width / 32; group += WARP)
            most = fmaxf(most, fabsf(__half2float(reinterpret_cast<const __half*>(row)[group])));
        return of_largest(warp_max(most));
    }
    // The same for one thread.
    static __device__ __forceinline__ float unit_alone(const unsigned char* row, int width) {
        float most = 0.f;
        for (int group = 0; group < width / 32; ++group)
            most = fmaxf(most, fabsf(__half2float(reinterpret_cast<const __half*>(row)[group])));
        return of_largest(most);
    }
    static __device__ __forceinline__ float of_byte(unsigned word, int i, int ratio) {
        return (float)(((int)(signed char)(word >> 8 * i) * ratio + 512) >> 10);
    }
    static __device__ __forceinline__ float4 quad(const Piece& p, int part) {
        const unsigned word = word_of(p.bits, part);
        return make_float4(
            of_byte(word, 0, p.ratio), of_byte(word, 1, p.ratio), of_byte(word, 2, p.ratio),
            of_byte(word, 3, p.ratio));
    }
};

struct Int4Rows {
    static constexpr int QUADS = 8;
    static constexpr int GROUPS = 2;
    static constexpr bool UNIT_BY_WARP = false;
    struct Piece {
        uint4 bits;
        float scale[GROUPS];
    };
    // 32 bytes hold 64 values: low nibbles the first 32 of them, high nibbles the others.
    static __device__ __forceinline__ int place(int piece, int part) {
        return 16 * (piece / 2) + 8 * (part / 4) + 4 * (piece % 2) + part % 4;
    }
    static __device__ __forceinline__ int piece_of(int quad) { return 2 * (quad / 16) + quad / 4 % 2; }
    static __device__ __forceinline__ int part_of(int quad) { return 4 * (quad / 8 % 2) + quad % 4; }
    static __device__ __forceinline__ Piece read(const unsigned char* row, int width, int piece, float) {
        const int values_at = 32 + (width / 32 + 15) / 16 * 16;
        Piece p;
        p.bits = __ldg(reinterpret_cast<const uint4*>(row + values_at) + piece);
        const signed char* scales = reinterpret_cast<const signed char*>(row + 32) + 2 * (piece / 2);
        p.scale[0] = (float)scales[0];
        p.scale[1] = (float)scales[1];
        return p;
    }
    static __device__ __forceinline__ float unit(const unsigned char* row, int) {
        return __ldg(reinterpret_cast<const float*>(row));
    }
    static __device__ __forceinline__ float unit_alone(const unsigned char* row, int width) { return unit(row, width); }
    static __device__ __forceinline__ float4 quad(const Piece& p, int part) {
        return bytes_as_floats((word_of(p.bits, part % 4) >> (part / 4 * 4)) & 0x0f0f0f0fu, 8388616.f);
    }
};

struct F16Rows {
    static constexpr int QUADS = 2;
    static constexpr int GROUPS = 1;
    static constexpr bool UNIT_BY_WARP = false;
    struct Piece {
        uint4 bits;
        float scale[GROUPS];
    };
    static __device__ __forceinline__ int place(int piece, int part) { return 2 * piece + part; }
    static __device__ __forceinline__ int piece_of(int quad) { return quad / 2; }
    static __device__ __forceinline__ int part_of(int quad) { return quad % 2; }
    static __device__ __forceinline__ Piece read(const unsigned char* row, int, int piece, float) {
        return {__ldg(reinterpret_cast<const uint4*>(row) + piece), {1.f}};
    }
    static __device__ __forceinline__ float unit(const unsigned char*, int) { return 1.f; }
    static __device__ __forceinline__ float4 quad(const Piece& p, int part) {
        const unsigned words[2] = {word_of(p.bits, 2 * part), word_of(p.bits, 2 * part + 1)};
        const float2 a = __half22float2(reinterpret_cast<const __half2*>(words)[0]);
        const float2 b = __half22float2(reinterpret_cast<const __half2*>(words)[1]);
        return make_float4(a.x, a.y, b.x, b.y);
    }
};

struct F32Rows {
    static constexpr int QUADS = 1;
    static constexpr int GROUPS = 1;
    static constexpr bool UNIT_BY_WARP = false;
    struct Piece {
        uint4 bits;
        float scale[GROUPS];
    };
    static __device__ __forceinline__ int place(int piece, int) { return piece; }
    static __device__ __forceinline__ int piece_of(int quad) { return quad; }
    static __device__ __forceinline__ int part_of(int) { return 0; }
    static __device__ __forceinline__ Piece read(const unsigned char* row, int, int piece, float) {
        return {__ldg(reinterpret_cast<const uint4*>(row) + piece), {1.f}};
    }
    static __device__ __forceinline__ float unit(const unsigned char*, int) { return 1.f; }
    static __device__ __forceinline__ float4 quad(const Piece& p, int) {
        return make_float4(
            __int_as_float((int)p.bits.x), __int_as_float((int)p.bits.y), __int_as_float((int)p.bits.z),
            __int_as_float((int)p.bits.w));
    }
};

template <class Rows>
__device__ __forceinline__ int pieces_of(int width) { return width / (4 * Rows::QUADS); }
