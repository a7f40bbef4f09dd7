/* SPDX-License-Identifier: Apache-2.0 */
/* All marks, in C and in C++; also as a library of a traced program. */
#include <cudatrace/cudatrace.h>

void enter_library(void);
void leave_library(void);

void enter_library(void)
{
	ct_region_begin("library");
}

void leave_library(void)
{
	ct_region_end("library");
}

#ifndef LIBRARY
int main(void)
{
	enter_library();
	ct_pause();
	ct_resume();
	ct_region_begin(NULL);
	ct_region_end(NULL);
	leave_library();
	return ct_program_() != NULL;
}
#endif
