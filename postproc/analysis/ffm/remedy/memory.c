/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is allocated and freed again and again, and frees that wait (seed 000, 5.4.1 and
 * 6.2). */
#include "base/quantity.h"
#include "postproc/analysis/ffm/remedy/remedy.h"

/* Conditions of what is freed: sizes, and how much of it there is at once. */
static void condition_of_sizes(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_facts *facts = &remedying->entry->facts;
	char least[CT_NUMBER_BYTES], most[CT_NUMBER_BYTES];

	if (!facts->most_bytes)
		return;
	if (facts->least_bytes == facts->most_bytes)
		ct_ffm_condition(remedying, "Shown: it has always %s bytes",
				 ct_number(facts->most_bytes, most));
	else
		ct_ffm_condition(
		    remedying, "Shown: it has %s to %s bytes, room for the most will do",
		    ct_number(facts->least_bytes, least), ct_number(facts->most_bytes, most));
	fprintf(remedying->condition, ", and of each place that allocates it at most %u %s alive.",
		facts->alive, facts->alive == 1 ? "is" : "are");
}

static void condition_of_gain(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_facts *facts = &remedying->entry->facts;

	if (facts->dropped_ns)
		ct_ffm_condition(remedying,
				 "Beside the benefit above, %.3g ms of allocating are saved, too.",
				 (double)facts->dropped_ns / 1e6);
}

static void write_pool(struct ct_ffm_remedying *remedying, const char *allocate, const char *free)
{
	bool is_driver = ct_ffm_is_driver(remedying->entry->site.call);

	fprintf(remedying->skeleton,
		is_driver ? "cuMemAllocAsync(&%s, %s, stream);  // in place of %s\n"
			    "…\n"
			    "cuMemFreeAsync(%s, stream);        // in place of %s\n"
			  : "cudaMallocAsync(&%s, %s, stream);  // in place of %s\n"
			    "…\n"
			    "cudaFreeAsync(%s, stream);         // in place of %s\n",
		remedying->variable, remedying->size, allocate, remedying->variable, free);
}

/* To free it waits in any case, so the free must go, and what allocates the memory with it. */
void ct_ffm_write_pool(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	const struct ct_ffm_site *from = ct_ffm_related_site(entry, CT_FFM_ALLOCATED);
	char place[CT_FFM_TEXT_BYTES], allocated[CT_FFM_TEXT_BYTES];
	char free[2 * CT_FFM_TEXT_BYTES], allocate[2 * CT_FFM_TEXT_BYTES];

	ct_ffm_remedy_place(remedying->study, entry->site.stack, place);
	snprintf(free, sizeof(free), "%s at %s", entry->site.call, place);
	if (!from) {
		fprintf(remedying->fix,
			"Move %s behind a wait that is needed, or free the memory in the order of "
			"the stream (cudaFreeAsync) if it comes from a pool.",
			free);
		ct_ffm_condition(remedying, "Not known: where the memory is allocated.");
		return;
	}
	snprintf(allocate, sizeof(allocate), "%s at %s", from->call,
		 ct_ffm_remedy_place(remedying->study, from->stack, allocated));
	if (entry->facts.again) {
		fputs("Keep the memory that is allocated by ", remedying->fix);
		ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_ALLOCATED);
		fprintf(remedying->fix,
			" and freed by %s: allocate it once, outside of the loop, or in the order "
			"of the stream, from its pool.",
			free);
	} else {
		fprintf(remedying->fix, "Move %s behind a wait that is needed, or allocate (",
			free);
		ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_ALLOCATED);
		fputs(") and free it in the order of the stream.", remedying->fix);
	}
	condition_of_sizes(remedying);
	ct_ffm_condition(remedying, "The stream must be that of the work which uses the memory.");
	condition_of_gain(remedying);
	write_pool(remedying, allocate, free);
}

void ct_ffm_write_keep_pinned(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	ct_ffm_remedy_place(remedying->study, entry->site.stack, place);
	if (ct_ffm_related_site(entry, CT_FFM_ALLOCATED)) {
		fputs("Pin the memory once, outside of the loop: move ", remedying->fix);
		ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_ALLOCATED);
		fprintf(remedying->fix, " before it and %s at %s behind it.", entry->site.call,
			place);
	} else {
		fprintf(remedying->fix, "Move %s at %s behind a wait that is needed.",
			entry->site.call, place);
		ct_ffm_condition(remedying, "Not known: where the memory is allocated.");
	}
	condition_of_sizes(remedying);
	condition_of_gain(remedying);
}

/* The entry is of what allocates; what frees is related. */
void ct_ffm_write_hoist(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	const struct ct_ffm_site *freed = ct_ffm_related_site(entry, CT_FFM_FREED);
	char place[CT_FFM_TEXT_BYTES], other[CT_FFM_TEXT_BYTES];
	char free[2 * CT_FFM_TEXT_BYTES], allocate[2 * CT_FFM_TEXT_BYTES];

	snprintf(allocate, sizeof(allocate), "%s at %s", entry->site.call,
		 ct_ffm_remedy_place(remedying->study, entry->site.stack, place));
	snprintf(free, sizeof(free), "%s at %s", freed ? freed->call : "a free",
		 ct_ffm_remedy_place(remedying->study, freed ? freed->stack : 0, other));
	fprintf(remedying->fix,
		"Keep the memory of %s: allocate it once, outside of the loop, and free it (",
		allocate);
	ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_FREED);
	fputs(") behind it", remedying->fix);
	if (!entry->facts.pinned)
		fputs(", or allocate in the order of the stream, from its pool", remedying->fix);
	fputc('.', remedying->fix);
	ct_ffm_condition(remedying,
			 "Shown: %llu of its allocations could have had memory freed before.",
			 (unsigned long long)entry->facts.again);
	condition_of_sizes(remedying);
	if (!entry->facts.pinned)
		write_pool(remedying, allocate, free);
}
