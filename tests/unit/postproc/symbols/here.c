/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of sample.h that no compiler sees through. */
#include "tests/unit/postproc/symbols/sample.h"

void sample_here(sample_note *note)
{
	note(__builtin_return_address(0));
	__asm__ volatile("" ::: "memory"); /* so that this was no jump */
}
