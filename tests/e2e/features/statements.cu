/* SPDX-License-Identifier: Apache-2.0 */
/* Inline PTX with several statements: predicates, registers, offsets, vectors. */
#include "feature.h"
// construct: inline PTX with several statements, predicates, registers and offsets

__global__ void guarded(int *p)
{
	int i = threadIdx.x;

	asm volatile("{ .reg .pred q; setp.lt.s32 q, %1, 7; @q st.global.s32 [%0], 5; @!q "
		     "red.global.add.s32 [%0+128], 2; }" ::"l"(p + i),
		     "r"(i)
		     : "memory");
}

__global__ void registers(int *p, const int *from)
{
	int a, b;

	asm volatile("{\n\t.reg .u64 g;\n\tcvta.to.global.u64 g, %2;\n\tadd.s64 g, g, %3;\n\t"
		     "ld.global.v2.s32 {%0, %1}, [g+8];\n\t}"
		     : "=r"(a), "=r"(b)
		     : "l"(from), "l"((long long)threadIdx.x * 8));
	asm volatile("st.global.s32 [%0], %1; st.global.s32 [%0+4], %2;" ::"l"(p + 2 * threadIdx.x),
		     "r"(b), "r"(a)
		     : "memory");
}

int main()
{
	int *p = device_array<int>(64), *from = device_array<int>(66), *to = device_array<int>(64),
	    host[66];

	guarded<<<1, 32>>>(p);
	check("guarded", all_equal(p, 64, [](size_t i) { return i < 7 ? 5 : i >= 39 ? 2 : 0; }));
	for (int i = 0; i < 66; i++)
		host[i] = 3 * i;
	upload(from, host, 66);
	registers<<<1, 32>>>(to, from);
	check("registers", all_equal(to, 64, [](size_t i) { return 3 * ((i ^ 1) + 2); }));
	return finish();
}
