/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of memory: copied, moved and filled, of known and unknown size. */
#include "feature.h"
// construct: memcpy of unknown size
// construct: memcpy of a long known size
// construct: memmove of a long known size
// construct: memset of unknown size
// construct: memcpy of a short known size
// construct: aggregates by value

struct Block {
	int x[64];
};
struct Odd {
	char c;
	short s[5];
};

__global__ void unknown(char *to, const char *from, int n)
{
	memcpy(to, from, n);
	memset(to + n, 9, n);
}

__global__ void moved(char *p, int n)
{
	__builtin_memmove(p + 1, p, 200);
	__builtin_memmove(p + 300, p + 301, n);
}

__global__ void structures(Block *a, const Block *b, Odd *c, const Odd *d)
{
	a[threadIdx.x] = b[threadIdx.x];
	c[threadIdx.x] = d[threadIdx.x];
}

int main()
{
	char host[1024], expected[1024];
	char *from = device_array<char>(1024), *to = device_array<char>(1024);

	for (int i = 0; i < 1024; i++)
		host[i] = (char)(i * 5 + 1);
	upload(from, host, 1024);
	unknown<<<1, 1>>>(to, from, 333);
	check("memcpy and memset", all_equal(to, 1024, [&](size_t i) {
		      return i < 333 ? host[i] : i < 666 ? 9 : 0;
	      }));
	memcpy(expected, host, 1024);
	memmove(expected + 1, expected, 200);
	memmove(expected + 300, expected + 301, 77);
	moved<<<1, 1>>>(from, 77);
	check("memmove", all_equal(from, 1024, [&](size_t i) { return expected[i]; }));

	Block *a = device_array<Block>(4), *b = device_array<Block>(4);
	Odd *c = device_array<Odd>(4), *d = device_array<Odd>(4);
	upload((char *)b, host, 1024);
	upload((char *)d, host, 4 * sizeof(Odd));
	structures<<<1, 4>>>(a, b, c, d);
	check("structures", all_equal((char *)a, 1024, [&](size_t i) { return host[i]; }));
	bool same = true;
	Odd odd[4], wanted[4];
	download(odd, c, 4);
	memcpy(wanted, host, sizeof(wanted));
	for (int i = 0; i < 4; i++)
		same = same && odd[i].c == wanted[i].c && !memcmp(odd[i].s, wanted[i].s, 10);
	check("odd structures", same);
	return finish();
}
