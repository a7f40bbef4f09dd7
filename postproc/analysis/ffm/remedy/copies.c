/* SPDX-License-Identifier: Apache-2.0 */
/* Copies and memsets: let them not wait (seed 000, 6.1), or do not make them. */
#include "base/quantity.h"
#include "postproc/analysis/ffm/remedy/remedy.h"
#include <string.h>

static const char *place_of(const struct ct_ffm_remedying *remedying,
			    char buffer[CT_FFM_TEXT_BYTES])
{
	return ct_ffm_remedy_place(remedying->study, remedying->entry->site.stack, buffer);
}

static bool is_origin_known(const struct ct_ffm_entry *entry)
{
	return ct_ffm_related_site(entry, CT_FFM_ALLOCATED) ||
	       ct_ffm_related_site(entry, CT_FFM_VARIABLE) ||
	       ct_ffm_related_site(entry, CT_FFM_ON_STACK);
}

/* "allocated by malloc at a.cu:3, the variable table". */
static void write_origin(FILE *out, const struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	const char *separator = "";

	if (ct_ffm_related_site(entry, CT_FFM_ALLOCATED)) {
		fputs("allocated by ", out);
		ct_ffm_write_sites(out, remedying->study, entry, CT_FFM_ALLOCATED);
		separator = ", ";
	}
	for (size_t i = 0; i < entry->relations; i++) {
		if (entry->related[i].role != CT_FFM_VARIABLE)
			continue;
		fprintf(out, "%sthe variable %s", separator,
			*entry->related[i].site.call ? entry->related[i].site.call : "of no name");
		separator = ", ";
	}
	if (ct_ffm_related_site(entry, CT_FFM_ON_STACK))
		fprintf(out, "%son a stack, where it cannot stay", separator);
}

/* Host memory that is not pinned must be: where, follows from who allocates and frees it. */
static bool write_pinning(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	const struct ct_ffm_facts *facts = &entry->facts;

	if (!facts->pageable) {
		if (facts->pinned)
			ct_ffm_condition(remedying, "Shown: the host's memory is pinned.");
		else if (facts->managed)
			ct_ffm_condition(remedying, "Shown: the host's memory is managed.");
		return false;
	}
	ct_ffm_condition(remedying,
			 "Shown: the host's memory is pageable in %llu of %llu calls, so the copy "
			 "waits as long as it is not pinned.",
			 (unsigned long long)facts->pageable,
			 (unsigned long long)entry->site.count);
	if (facts->pinning_ns)
		ct_ffm_condition(remedying,
				 "To pin it once takes about %.3g ms, which are taken from the "
				 "benefit.",
				 (double)facts->pinning_ns / 1e6);
	if (ct_ffm_related_site(entry, CT_FFM_FREED)) {
		ct_ffm_condition(remedying, "It is freed by ");
		ct_ffm_write_sites(remedying->condition, remedying->study, entry, CT_FFM_FREED);
		fputs(": unpin it before.", remedying->condition);
	}
	if (is_origin_known(entry)) {
		ct_ffm_condition(remedying, "Shown: it is ");
		write_origin(remedying->condition, remedying);
		fputs("; pin it outside of loops, since unpinning waits.", remedying->condition);
	} else {
		ct_ffm_condition(remedying,
				 "Not known: where it is allocated, which must be found before "
				 "it is pinned; pin it outside of loops, since unpinning waits.");
	}
	fputs(
	    "cudaHostRegister(pointer, bytes, cudaHostRegisterDefault);  // once, before the loop\n"
	    "…\n",
	    remedying->skeleton);
	return true;
}

static void write_unpinning(struct ct_ffm_remedying *remedying)
{
	fputs("…\n"
	      "cudaHostUnregister(pointer);                                // once, behind the "
	      "loop\n",
	      remedying->skeleton);
}

static void condition_of_input(struct ct_ffm_remedying *remedying)
{
	ct_ffm_condition(remedying,
			 "Shown for this input: in %llu of %llu calls from there the CPU does not "
			 "access what it waits for before a later wait covers it.",
			 (unsigned long long)remedying->entry->site.count,
			 (unsigned long long)remedying->entry->occurrences);
}

void ct_ffm_write_copy_async(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	bool is_pageable = entry->facts.pageable > 0;
	char place[CT_FFM_TEXT_BYTES];

	fprintf(remedying->fix, "Make %s at %s asynchronous (%s%s)", entry->site.call,
		place_of(remedying, place), entry->site.call, "Async");
	if (is_pageable && is_origin_known(entry)) {
		fputs(", and pin its memory on the host, which is ", remedying->fix);
		write_origin(remedying->fix, remedying);
	} else if (is_pageable) {
		fputs(", and pin its memory on the host, if it is clear where that is allocated",
		      remedying->fix);
	}
	fputc('.', remedying->fix);
	condition_of_input(remedying);
	write_pinning(remedying);
	fprintf(remedying->skeleton, "%sAsync(…, stream);  // in place of %s at %s\n",
		entry->site.call, entry->site.call, place);
	if (is_pageable)
		write_unpinning(remedying);
}

void ct_ffm_write_pin(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	place_of(remedying, place);
	if (entry->facts.pageable)
		fprintf(remedying->fix,
			"Pin the memory on the host of %s at %s, once, outside of loops: from and "
			"to pageable memory it waits.",
			entry->site.call, place);
	else
		fprintf(remedying->fix,
			"Find out why %s at %s waits: its memory on the host is not pageable.",
			entry->site.call, place);
	condition_of_input(remedying);
	if (write_pinning(remedying)) {
		fprintf(remedying->skeleton, "%s(…, stream);  // as it is, at %s\n",
			entry->site.call, place);
		write_unpinning(remedying);
	}
}

void ct_ffm_write_copy_early(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	bool is_async = strstr(entry->site.call, "Async") != NULL;
	char place[CT_FFM_TEXT_BYTES];

	fprintf(remedying->fix, "%s %s at %s, and wait for it before ",
		is_async ? "Pin the memory on the host of" : "Make asynchronous", entry->site.call,
		place_of(remedying, place));
	if (!ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_USED) &&
	    !ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_FREED))
		fputs("the first access", remedying->fix);
	fprintf(remedying->fix, ", %.3g ms later.", (double)entry->first_use_ns / 1e6);
	if (ct_ffm_related_site(entry, CT_FFM_TAKER)) {
		ct_ffm_condition(remedying, "Shown: ");
		ct_ffm_write_sites(remedying->condition, remedying->study, entry, CT_FFM_TAKER);
		fputs(" waits for the same behind it and must go there, too.",
		      remedying->condition);
	}
	ct_ffm_condition(remedying, "All paths to an access must pass the new wait.");
	write_pinning(remedying);
	fprintf(remedying->skeleton,
		"%s%s(…, stream);  // at %s\n"
		"cudaEventRecord(done, stream);\n"
		"…\n"
		"cudaEventSynchronize(done);  // before the first access\n",
		entry->site.call, is_async ? "" : "Async", place);
	if (entry->facts.pageable)
		write_unpinning(remedying);
}

/* Sets memory that the CPU can write itself. */
void ct_ffm_write_set_on_host(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];
	bool is_shared = entry->facts.managed + entry->facts.pinned > 0;

	place_of(remedying, place);
	fprintf(remedying->fix,
		is_shared ? "Set the memory by the CPU (memset) in place of %s at %s "
			    "if it is there, else by cudaMemsetAsync."
			  : "Make %s at %s asynchronous (cudaMemsetAsync).",
		entry->site.call, place);
	condition_of_input(remedying);
	if (entry->facts.managed)
		ct_ffm_condition(remedying,
				 "Shown: the memory is managed. Not known: on which side its pages "
				 "are; if the device uses them next, let them go there before "
				 "(cudaMemPrefetchAsync).");
	fprintf(remedying->skeleton,
		is_shared ? "memset(%s, value, %s);  // in place of %s at %s\n"
			  : "cudaMemsetAsync(%s, value, %s, stream);  // in "
			    "place of %s at %s\n",
		remedying->variable, remedying->size, entry->site.call, place);
}

static void condition_of_writers(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;

	if (ct_ffm_related_site(entry, CT_FFM_WRITTEN)) {
		ct_ffm_condition(remedying, "The target may be written by ");
		ct_ffm_write_sites(remedying->condition, remedying->study, entry, CT_FFM_WRITTEN);
		fputs(", which left these bytes as they were here.", remedying->condition);
	} else {
		ct_ffm_condition(remedying,
				 "No other copy to the target is seen. Not known: kernels "
				 "that are given its address in another way.");
	}
}

void ct_ffm_write_drop_copy(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	const struct ct_ffm_site *first = ct_ffm_related_site(entry, CT_FFM_COPIED);
	bool is_always = entry->site.count == entry->occurrences;
	bool is_itself = first && first->stack == entry->site.stack;
	char place[CT_FFM_TEXT_BYTES];

	place_of(remedying, place);
	if (is_always && !is_itself)
		fprintf(remedying->fix, "Drop %s at %s", entry->site.call, place);
	else if (is_itself && entry->site.count + 1 >= entry->occurrences)
		fprintf(remedying->fix, "Make %s at %s once, before the loop", entry->site.call,
			place);
	else
		fprintf(remedying->fix, "Make %s at %s only if its source has changed",
			entry->site.call, place);
	fputs(": the bytes are at the target already", remedying->fix);
	if (first && !is_itself) {
		fputs(", by ", remedying->fix);
		ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_COPIED);
	}
	fputc('.', remedying->fix);
	ct_ffm_condition(remedying,
			 "Shown for this input: %llu of %llu copies from there moved nothing new. "
			 "Guard it: declare the source const, or compare in a debug build.",
			 (unsigned long long)entry->site.count,
			 (unsigned long long)entry->occurrences);
	condition_of_writers(remedying);
	if (!is_always || is_itself)
		fprintf(remedying->skeleton,
			"if (has_changed) {  // set where the source is written\n"
			"\t%s(…);  // at %s\n"
			"\thas_changed = false;\n"
			"}\n",
			entry->site.call, place);
}

void ct_ffm_write_copy_changes(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	double share = entry->bytes ? (double)entry->facts.same_bytes / (double)entry->bytes : 0;
	char place[CT_FFM_TEXT_BYTES];

	fprintf(remedying->fix,
		"Copy only what has changed at %s (%s): %.0f %% of its bytes are at the target "
		"already.",
		place_of(remedying, place), entry->site.call, 100 * share);
	ct_ffm_condition(remedying,
			 "Shown by blocks of 4096 bytes, for this input; known from a "
			 "quarter of a call's bytes on. Not known: which blocks will change.");
	fprintf(remedying->skeleton,
		"%s(target + first, source + first, changed_bytes, …);  // at %s\n",
		entry->site.call, place);
}

static void condition_of_holding(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;

	if (entry->facts.held == entry->site.count)
		ct_ffm_condition(remedying, "Shown: they are there still, no kernel was launched "
					    "and nothing was copied there between.");
	else
		ct_ffm_condition(
		    remedying,
		    "Shown: they were there. Not known in %llu of %llu calls: whether a "
		    "kernel or the CPU has changed them since.",
		    (unsigned long long)(entry->site.count - entry->facts.held),
		    (unsigned long long)entry->site.count);
}

void ct_ffm_write_reuse(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	place_of(remedying, place);
	fputs("Use what ", remedying->fix);
	if (!ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_COPIED))
		fputs("an earlier copy", remedying->fix);
	fprintf(remedying->fix,
		" has copied, in place of %s at %s; or copy it from there, on the device.",
		entry->site.call, place);
	condition_of_holding(remedying);
	ct_ffm_condition(remedying, "If either is written later, it must be a copy.");
}

void ct_ffm_write_stay(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	place_of(remedying, place);
	fputs("Keep the bytes where they were: what ", remedying->fix);
	if (!ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_COPIED))
		fputs("an earlier copy", remedying->fix);
	fprintf(remedying->fix, " brings over, %s at %s takes back unchanged.", entry->site.call,
		place);
	condition_of_holding(remedying);
}
