/* SPDX-License-Identifier: Apache-2.0 */
/* Throws, and catches what is thrown through the frames of others. */
#include "tests/unit/unwind/throw.h"

void throw_number(int number)
{
	throw number;
}

int catch_number(void (*function)(int), int argument)
{
	try {
		function(argument);
	} catch (int number) {
		return number;
	}
	return 0;
}
