/* SPDX-License-Identifier: Apache-2.0 */
/* Answers what ct-ptxas asks about a unit's PTX. */
#include "driver/ptxas/text.h"
#include "driver/ptxas/split.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REGISTERS_OF_SM 65536u
#define REGISTERS_MOST 64u
#define REGISTERS_STEP 8u /* they are given out so, per thread */

/* The directives between a kernel's parameters and its body say this; 0: nothing. */
struct bounds {
	bool of_kernel, of_clone;
	unsigned threads, ctas, registers;
};

static unsigned product(const char *text)
{
	unsigned all = 1, one, bytes;

	while (sscanf(text, " %u%n", &one, (int *)&bytes) == 1) {
		all *= one;
		text += bytes;
		text += strspn(text, " ,");
	}
	return all;
}

static void read_bound(struct bounds *bounds, const char *line)
{
	static const char *const threads[] = {".maxntid", ".reqntid"};

	for (size_t i = 0; i < 2; i++)
		if (strncmp(line, threads[i], strlen(threads[i])) == 0)
			bounds->threads = product(line + strlen(threads[i]));
	sscanf(line, ".minnctapersm %u", &bounds->ctas);
	sscanf(line, ".maxnreg %u", &bounds->registers);
}

static unsigned registers_of(const struct bounds *bounds)
{
	unsigned threads = bounds->threads ? bounds->threads : 1024;
	unsigned ctas = bounds->ctas ? bounds->ctas : 1, least = REGISTERS_MOST, room;

	threads = (threads + 31) / 32 * 32;
	room = REGISTERS_OF_SM / (threads * ctas) / REGISTERS_STEP * REGISTERS_STEP;
	if (room && room < least)
		least = room;
	if (bounds->registers && bounds->registers < least)
		least = bounds->registers;
	return least;
}

static enum ct_ptx_sharing_kind kind_of(const char *line)
{
	if (strstr(line, "__ct_enter_far("))
		return CT_PTX_SHARED;
	return strstr(line, " " CT_PTX_NAME_APART) ? CT_PTX_APART : CT_PTX_ALONE;
}

int ct_ptx_sharing(const char *path, struct ct_ptx_sharing *sharing)
{
	struct bounds bounds = {false, false, 0, 0, 0};
	unsigned least = REGISTERS_MOST, least_of_all = REGISTERS_MOST;
	size_t capacity = 0;
	char *line = NULL;
	FILE *file = fopen(path, "r");

	if (!file)
		return -errno;
	sharing->kind = CT_PTX_ALONE;
	sharing->points = sharing->clones = false;
	while (getline(&line, &capacity, file) >= 0) {
		if (sharing->kind == CT_PTX_ALONE && strstr(line, ".func"))
			sharing->kind = kind_of(line);
		if (strstr(line, ".callprototype"))
			sharing->points = true;
		if (strstr(line, ".entry ")) {
			bounds =
			    (struct bounds){true, strstr(line, ".entry __ct_") != NULL, 0, 0, 0};
		} else if (line[0] == ';' || strstr(line, ".func")) {
			bounds.of_kernel = false; /* it was declared only */
		} else if (line[0] == '.') {
			read_bound(&bounds, line);
		} else if (line[0] == '{' && bounds.of_kernel) {
			unsigned registers = registers_of(&bounds);

			if (bounds.of_clone && registers < least)
				least = registers;
			if (registers < least_of_all)
				least_of_all = registers;
			sharing->clones |= bounds.of_clone;
			bounds.of_kernel = false;
		}
	}
	free(line);
	fclose(file);
	sharing->registers = (int)least;
	sharing->registers_of_all = (int)least_of_all;
	return 0;
}
