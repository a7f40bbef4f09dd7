// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
int run();
int main()
{
	int result = run();
	std::printf("C++ %d\n", result);
	return result != 8;
}
