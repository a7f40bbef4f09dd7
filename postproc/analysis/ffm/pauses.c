/* SPDX-License-Identifier: Apache-2.0 */
/* Times of each site, sorted when one of them is asked for. */
#include "postproc/analysis/ffm/pauses.h"
#include "base/array.h"
#include <errno.h>
#include <stdlib.h>

#define KEPT 4096u

struct ct_ffm_pause {
	uint64_t *ns;
	size_t count;
	bool is_sorted;
};

int ct_ffm_pauses_add(struct ct_ffm_pauses *pauses, uint64_t site, uint64_t ns)
{
	union ct_map_value *number = ct_map_put(&pauses->numbers, site, 0);
	struct ct_ffm_pause *pause;

	if (!number || (!number->number &&
			ct_array_grow(&pauses->pause, pauses->count, sizeof(*pauses->pause)) < 0))
		return -ENOMEM;
	if (!number->number) {
		pauses->pause[pauses->count] = (struct ct_ffm_pause){.count = 0};
		number->number = ++pauses->count;
	}
	pause = &pauses->pause[number->number - 1];
	if (pause->count == KEPT)
		return 0;
	if (ct_array_grow(&pause->ns, pause->count, sizeof(*pause->ns)) < 0)
		return -ENOMEM;
	pause->ns[pause->count++] = ns;
	pause->is_sorted = false;
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The one that so many parts of four are not longer than. */
static uint64_t quartile(struct ct_ffm_pauses *pauses, uint64_t site, size_t parts)
{
	const union ct_map_value *number = ct_map_find(&pauses->numbers, site, 0);
	struct ct_ffm_pause *pause = number ? &pauses->pause[number->number - 1] : NULL;

	if (!pause)
		return UINT64_MAX;
	if (!pause->is_sorted)
		qsort(pause->ns, pause->count, sizeof(*pause->ns), compare);
	pause->is_sorted = true;
	return pause->ns[pause->count * parts / 4];
}

uint64_t ct_ffm_pauses_median(struct ct_ffm_pauses *pauses, uint64_t site)
{
	return quartile(pauses, site, 2);
}

uint64_t ct_ffm_pauses_short(struct ct_ffm_pauses *pauses, uint64_t site)
{
	return quartile(pauses, site, 1);
}

void ct_ffm_pauses_fini(struct ct_ffm_pauses *pauses)
{
	for (size_t i = 0; i < pauses->count; i++)
		free(pauses->pause[i].ns);
	free(pauses->pause);
	ct_map_fini(&pauses->numbers);
	*pauses = (struct ct_ffm_pauses){.count = 0};
}
