/* SPDX-License-Identifier: Apache-2.0 */
/* The place of this process in a parallel job, as its launcher tells. */
#include "trace/names/rank.h"

#include <ctype.h>
#include <cudatrace/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct launcher {
	const char *rank, *ranks, *job;
};

static const struct launcher launchers[] = {
#define CT_LAUNCHER(rank, ranks, job) {rank, ranks, job},
#include <cudatrace/launchers.def>
#undef CT_LAUNCHER
};

static bool read_number(const char *text, uint32_t *number)
{
	size_t digits = text ? strspn(text, "0123456789") : 0;

	*number = 0;
	if (digits < 1 || digits > 6 || text[digits])
		return false;
	for (size_t i = 0; i < digits; i++)
		*number = 10 * *number + (uint32_t)(text[i] - '0');
	return true;
}

static void append(char *job, const char *text)
{
	size_t used = strlen(job);

	for (; *text && used + 1 < CT_JOB_BYTES; text++)
		job[used++] = isalnum((unsigned char)*text) || strchr("._@+-", *text) ? *text : '_';
	job[used] = '\0';
}

/* The values of the variables of one alternative, or "" if one of them is not set. */
static void read_all(char *job, const char *names, size_t bytes, ct_rank_lookup *lookup)
{
	size_t at = 0;

	*job = '\0';
	while (at < bytes) {
		size_t length = strcspn(names + at, ",|");
		char name[64] = "";
		const char *value;

		if (length < sizeof(name))
			memcpy(name, names + at, length);
		value = lookup(name);
		if (!value || !*value) {
			*job = '\0';
			return;
		}
		if (*job)
			append(job, ".");
		append(job, value);
		at += length + 1;
	}
}

static void read_job(char *job, const char *names, ct_rank_lookup *lookup)
{
	*job = '\0';
	while (*names && !*job) {
		size_t bytes = strcspn(names, "|");

		read_all(job, names, bytes, lookup);
		names += bytes + (names[bytes] == '|');
	}
}

struct ct_rank ct_rank_find(ct_rank_lookup *lookup)
{
	struct ct_rank found = {.rank = CT_NO_RANK};

	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		const struct launcher *launcher = &launchers[i];
		uint32_t rank, ranks = 0;

		if (!read_number(lookup(launcher->rank), &rank))
			continue;
		if (*launcher->ranks &&
		    (!read_number(lookup(launcher->ranks), &ranks) || rank >= ranks))
			continue;
		found.rank = rank;
		found.ranks = ranks;
		read_job(found.job, "CUDATRACE_JOB", lookup);
		if (!*found.job)
			read_job(found.job, launcher->job, lookup);
		break;
	}
	return found;
}
