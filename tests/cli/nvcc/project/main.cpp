/* SPDX-License-Identifier: Apache-2.0 */
/* A program without CUDA in it. */
#include <cstdio>
int run();
int main()
{
	int result = run();
	std::printf("C++ %d\n", result);
	return result != 8;
}
