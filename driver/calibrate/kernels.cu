/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Microbenchmarks of a GPU, compiled to PTX when cuda-trace is built (measure_gpu.c launches them).
 * What is measured inside of a kernel goes to `cycles`, of the SM's clock, one number per CTA; what
 * is measured from outside is timed by events. `sink` keeps results alive.
 */
#define KERNEL extern "C" __global__ void __launch_bounds__(1024)
#define CHAIN 64

static __device__ inline unsigned long long now()
{
	unsigned long long cycles;

	asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
	return cycles;
}

/* The latency of a load: each gives the place of the next. Lane i begins at place i * apart, in
 * words of 8 bytes, so that a warp's loads are so many transactions. ring[p]: the place after p. */
#define CHASE(name, load)                                                                          \
	KERNEL name(const unsigned long long *ring, unsigned apart, unsigned lanes, unsigned warm, \
		    unsigned steps, unsigned long long *cycles, unsigned long long *sink)          \
	{                                                                                          \
		unsigned long long at = (unsigned long long)threadIdx.x * apart, begin;            \
                                                                                                   \
		if (threadIdx.x >= lanes)                                                          \
			return;                                                                    \
		for (unsigned i = 0; i < warm; i++)                                                \
			load;                                                                      \
		begin = now();                                                                     \
		for (unsigned i = 0; i < steps; i++)                                               \
			load;                                                                      \
		sink[threadIdx.x] = at;                                                            \
		if (threadIdx.x == 0)                                                              \
			cycles[blockIdx.x] = now() - begin;                                        \
	}
CHASE(chase_l1, asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(at) : "l"(ring + at)))
CHASE(chase_l2, asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(at) : "l"(ring + at)))

/* Shared memory: lane i has words i * apart modulo 4096; apart: the degree of bank conflicts. */
KERNEL chase_shared(unsigned apart, unsigned steps, unsigned long long *cycles, unsigned *sink)
{
	__shared__ unsigned ring[4096];
	unsigned at = threadIdx.x * apart % 4096;
	unsigned long long begin;

	for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
		ring[i] = i;
	__syncthreads();
	begin = now();
	for (unsigned i = 0; i < steps; i += 8)
#pragma unroll
		for (int k = 0; k < 8; k++)
			at = ((volatile unsigned *)ring)[at];
	sink[threadIdx.x] = at;
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = now() - begin;
}

/* Arithmetic: `chains` operations side by side in each thread, one behind the other `rounds` *
 * CHAIN times. With one chain and a warp it is the latency, with many the throughput. */
#define ARITHMETIC(name, type, operation)                                                          \
	template <int chains>                                                                      \
	static __device__ inline void name##_chains(unsigned rounds, unsigned long long *cycles,   \
						    void *sink)                                    \
	{                                                                                          \
		type x[chains], y = (type)(threadIdx.x & 1), z = (type)(threadIdx.x & 3);          \
		unsigned long long begin;                                                          \
                                                                                                   \
		for (int c = 0; c < chains; c++)                                                   \
			x[c] = (type)(threadIdx.x + c);                                            \
		begin = now();                                                                     \
		for (unsigned i = 0; i < rounds; i++) {                                            \
			_Pragma("unroll") for (int k = 0; k < CHAIN / chains; k++)                 \
			    _Pragma("unroll") for (int c = 0; c < chains; c++) operation;          \
		}                                                                                  \
		for (int c = 1; c < chains; c++)                                                   \
			x[0] += x[c];                                                              \
		if (x[0] == (type)12345)                                                           \
			*(type *)sink = x[0];                                                      \
		__syncthreads();                                                                   \
		if (threadIdx.x == 0)                                                              \
			cycles[blockIdx.x] = now() - begin;                                        \
	}                                                                                          \
	KERNEL name##_1(unsigned rounds, unsigned long long *cycles, void *sink)                   \
	{                                                                                          \
		name##_chains<1>(rounds, cycles, sink);                                            \
	}                                                                                          \
	KERNEL name##_8(unsigned rounds, unsigned long long *cycles, void *sink)                   \
	{                                                                                          \
		name##_chains<8>(rounds, cycles, sink);                                            \
	}
ARITHMETIC(fma32, float, asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[c]) : "f"(y), "f"(z)))
ARITHMETIC(fma64, double, asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x[c]) : "d"(y), "d"(z)))
ARITHMETIC(fma16, unsigned,
	   asm volatile("fma.rn.f16x2 %0, %0, %1, %2;"
			: "+r"(x[c])
			: "r"(y), "r"(z)))
ARITHMETIC(sfu, float, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[c])))
/* Two: of additions alone the compiler makes one for two. */
ARITHMETIC(integer, unsigned,
	   asm volatile("xor.b32 %0, %0, %1; add.u32 %0, %0, %2;"
			: "+r"(x[c])
			: "r"(y), "r"(z)))
/* As programs have them, with what the compiler puts around the special function unit's part; the
 * addition keeps operands in a range that takes the fast way. */
ARITHMETIC(special, float,
	   asm volatile("rsqrt.approx.f32 %0, %0; add.rn.f32 %0, %0, 0f3F800000;"
			: "+f"(x[c])))
ARITHMETIC(divide32, float,
	   asm volatile("add.rn.f32 %0, %0, 0f3F800000; div.rn.f32 %0, 0f3FC00000, %0;"
			: "+f"(x[c])))
ARITHMETIC(divide64, double,
	   asm volatile("add.rn.f64 %0, %0, 0d3FF0000000000000; div.rn.f64 %0, 0d3FF8000000000000, "
			"%0;"
			: "+d"(x[c])))
ARITHMETIC(integer_divide, unsigned,
	   asm volatile("or.b32 %0, %0, 3; div.u32 %0, %1, %0;"
			: "+r"(x[c])
			: "r"(y + 4000000000u)))
ARITHMETIC(multiply, unsigned,
	   asm volatile("mad.lo.u32 %0, %0, %1, %2;"
			: "+r"(x[c])
			: "r"(y), "r"(z)))

/* Bandwidth: all threads read `count` elements of 16 bytes, a multiple of four for each thread,
 * `times` times over. cg: past the L1. */
#define READ(name, load)                                                                           \
	KERNEL name(const uint4 *data, unsigned long long count, unsigned times, unsigned *sink)   \
	{                                                                                          \
		unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;            \
		unsigned sum = 0;                                                                  \
                                                                                                   \
		for (unsigned t = 0; t < times; t++)                                               \
			for (unsigned long long i =                                                \
				 (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;        \
			     i + 3 * stride < count; i += 4 * stride) {                            \
				uint4 v[4];                                                        \
				_Pragma("unroll") for (int k = 0; k < 4; k++) load;                \
				_Pragma("unroll") for (int k = 0; k < 4; k++) sum +=               \
				    v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;                             \
			}                                                                          \
		if (sum == 12345)                                                                  \
			*sink = sum;                                                               \
	}
READ(read_l2, asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
			   : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)
			   : "l"(data + i + k * stride)))

/* Each CTA reads four elements of its own per thread, which fit in the L1, again and again. */
KERNEL read_l1(const uint4 *data, unsigned times, unsigned long long *cycles, unsigned *sink)
{
	const uint4 *own = data + (unsigned long long)blockIdx.x * blockDim.x * 4 + threadIdx.x;
	unsigned long long begin = 0;
	unsigned sum = 0;

	for (unsigned t = 0; t <= times; t++) {
		if (t == 1) {
			__syncthreads();
			begin = now();
		}
#pragma unroll
		for (int k = 0; k < 4; k++) {
			uint4 v;
			asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
				     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
				     : "l"(own + k * blockDim.x));
			sum += v.x ^ v.y ^ v.z ^ v.w;
		}
	}
	if (sum == 12345)
		*sink = sum;
	__syncthreads();
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = now() - begin;
}

/* Likewise of shared memory: 16 bytes of each thread, `times` times. */
KERNEL read_shared(unsigned times, unsigned long long *cycles, unsigned *sink)
{
	__shared__ uint4 data[1024];
	unsigned long long begin;
	unsigned sum = 0, address;

	data[threadIdx.x] = make_uint4(threadIdx.x, 1, 2, 3);
	address = (unsigned)__cvta_generic_to_shared(&data[threadIdx.x]);
	__syncthreads();
	begin = now();
	for (unsigned t = 0; t < times; t += 8)
#pragma unroll
		for (int k = 0; k < 8; k++) {
			uint4 v;
			asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
				     : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
				     : "r"(address));
			sum += v.x ^ v.y ^ v.z ^ v.w;
		}
	if (sum == 12345)
		*sink = sum;
	__syncthreads();
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = now() - begin;
}

/* STREAM's copy and triad. */
KERNEL copy(float4 *a, const float4 *b, unsigned long long count)
{
	unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;

	for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
	     i < count; i += stride)
		a[i] = b[i];
}
KERNEL triad(float4 *a, const float4 *b, const float4 *c, float s, unsigned long long count)
{
	unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;

	for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
	     i < count; i += stride) {
		float4 x = b[i], y = c[i];
		a[i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
	}
}

/* Turns of a loop whose end is not known: `one` is 1. */
KERNEL turns(unsigned one, unsigned count, unsigned long long *cycles, unsigned *sink)
{
	unsigned at = 0, seen = 0;
	unsigned long long begin = now();

	do {
		asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(at) : "r"(one));
		seen ^= at; /* without, the assembler sees that there is no need for turns */
	} while (at != count);
	*sink = seen;
	cycles[blockIdx.x] = now() - begin;
}

/* Barriers, nothing between them. */
KERNEL barriers(unsigned rounds, unsigned long long *cycles)
{
	unsigned long long begin;

	__syncthreads();
	begin = now();
	for (unsigned i = 0; i < rounds; i++) {
#pragma unroll
		for (int k = 0; k < 16; k++)
			__syncthreads();
	}
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = now() - begin;
}

/*
 * What a barrier costs a kernel that loads: each round a load whose place comes of the one before,
 * eight multiply-adds, and, if so, a barrier. Of CTAs that share an SM.
 */
template <bool waits>
static __device__ inline void rounds_of_loads(const unsigned long long *ring, unsigned rounds,
					      unsigned long long *cycles, unsigned long long *sink)
{
	unsigned long long at = (blockIdx.x * blockDim.x + threadIdx.x) * 4ull, begin = now();
	float x = threadIdx.x, y = threadIdx.x & 1;

	for (unsigned i = 0; i < rounds; i++) {
		asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(at) : "l"(ring + at));
#pragma unroll
		for (int k = 0; k < 8; k++)
			asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y));
		if (waits)
			__syncthreads();
	}
	sink[blockIdx.x * blockDim.x + threadIdx.x] = at + (x == 12345.0f);
	__syncthreads();
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = now() - begin;
}
KERNEL loads(const unsigned long long *ring, unsigned rounds, unsigned long long *cycles,
	     unsigned long long *sink)
{
	rounds_of_loads<false>(ring, rounds, cycles, sink);
}
KERNEL loads_barriers(const unsigned long long *ring, unsigned rounds, unsigned long long *cycles,
		      unsigned long long *sink)
{
	rounds_of_loads<true>(ring, rounds, cycles, sink);
}

/* Atomics: each thread adds to the word at its number * apart, modulo 2^20. */
KERNEL atomics(unsigned *words, unsigned apart, unsigned rounds)
{
	unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * apart & 0xfffff;

	for (unsigned i = 0; i < rounds; i++)
		atomicAdd(&words[at], 1u);
}

KERNEL empty()
{
}

/* A kernel of one CTA that lasts at least so many cycles, and how many it is. */
KERNEL spin(unsigned long long wanted, unsigned long long *cycles)
{
	unsigned long long begin = now(), taken;

	do
		taken = now() - begin;
	while (taken < wanted);
	cycles[blockIdx.x] = taken;
}

/* A ring over `count` places of `stride` words each: the place after k is k * step modulo count, an
 * odd step through a power of two, so that all are visited and no two neighbours follow each other;
 * all words of a place lead to the same word of the next. */
KERNEL make_ring(unsigned long long *ring, unsigned long long count, unsigned stride,
		 unsigned long long step)
{
	unsigned long long total = (unsigned long long)gridDim.x * blockDim.x;

	for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
	     i < count * stride; i += total) {
		unsigned long long place = i / stride;

		ring[i] = (place + step) % count * stride + i % stride;
	}
}
