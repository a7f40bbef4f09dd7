/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that do nothing else: delete them, or wait later for less (seed 000, 6.3). */
#include "postproc/analysis/ffm/remedy/remedy.h"

/* Memory that was accessed, was on the inputs seen. */
static void condition_of_uses(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	const struct ct_ffm_facts *facts = &entry->facts;

	if (entry->site.count < entry->occurrences) {
		ct_ffm_condition(remedying,
				 "Shown: in %llu of %llu calls from there nothing is accessed; "
				 "%llu are needed",
				 (unsigned long long)entry->site.count,
				 (unsigned long long)entry->occurrences,
				 (unsigned long long)facts->needed);
		if (facts->unknown)
			fprintf(remedying->condition, ", of %llu it is not known",
				(unsigned long long)facts->unknown);
		fputc('.', remedying->condition);
	} else {
		ct_ffm_condition(remedying,
				 "Shown for this input: in none of %llu calls the CPU accesses "
				 "what it waits for before a later wait covers it.",
				 (unsigned long long)entry->site.count);
	}
	if (facts->idle)
		ct_ffm_condition(remedying,
				 "It waits in %llu of them; in the others all was done already.",
				 (unsigned long long)(entry->site.count - facts->idle));
}

static void write_events(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_facts *facts = &remedying->entry->facts;
	char place[CT_FFM_TEXT_BYTES];

	if (facts->crossed)
		ct_ffm_condition(remedying,
				 "Shown: in %llu of them work is asked for in another stream "
				 "behind it that is given the same memory, which only this wait "
				 "keeps in order.",
				 (unsigned long long)facts->crossed);
	if (facts->perhaps)
		ct_ffm_condition(remedying,
				 "Not known: whether in %llu of them work that is asked for in "
				 "another stream behind it uses the same memory; if it does not, "
				 "the wait can be deleted.",
				 (unsigned long long)facts->perhaps);
	fprintf(
	    remedying->skeleton,
	    "cudaEventRecord(event, stream);            // in place of %s at %s\n"
	    "cudaStreamWaitEvent(other_stream, event);  // before the work of the other stream\n",
	    remedying->entry->site.call,
	    ct_ffm_remedy_place(remedying->study, remedying->entry->site.stack, place));
}

/* Times that are measured there end with the wait. */
static void condition_of_clocks(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;

	if (entry->facts.timed)
		ct_ffm_condition(
		    remedying,
		    "Shown: in %llu of them the thread reads a clock before it asks "
		    "for other work; "
		    "without the wait that measures how long asking takes, not how long "
		    "the work does.",
		    (unsigned long long)entry->facts.timed);
}

static void write_timing(struct ct_ffm_remedying *remedying, const char *place)
{
	const struct ct_ffm_entry *entry = remedying->entry;

	fprintf(remedying->fix, "Call %s at %s only where time is measured: ", entry->site.call,
		place);
	ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_CLOCKED);
	fputs(" follows it, and nothing else is seen to need it. Or measure by events",
	      remedying->fix);
	fprintf(remedying->skeleton,
		"cudaEventRecord(begin, stream);  // before the work that is measured\n"
		"cudaEventRecord(end, stream);    // in place of %s at %s\n"
		"…\n"
		"cudaEventSynchronize(end);       // where the time is shown\n"
		"cudaEventElapsedTime(&milliseconds, begin, end);\n",
		entry->site.call, place);
}

void ct_ffm_write_delete_wait(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	ct_ffm_remedy_place(remedying->study, entry->site.stack, place);
	if (entry->facts.crossed || entry->facts.perhaps)
		fprintf(remedying->fix,
			"Replace %s at %s by an event that the other stream waits for",
			entry->site.call, place);
	else if (entry->facts.timed)
		write_timing(remedying, place);
	else if (entry->site.count < entry->occurrences)
		fprintf(remedying->fix,
			"Call %s at %s only where the CPU is going to access the results",
			entry->site.call, place);
	else
		fprintf(remedying->fix, "Delete %s at %s", entry->site.call, place);
	if (ct_ffm_related_site(entry, CT_FFM_PRODUCED)) {
		fputs(": it waits for ", remedying->fix);
		ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_PRODUCED);
	}
	fputc('.', remedying->fix);
	condition_of_uses(remedying);
	condition_of_clocks(remedying);
	if (entry->facts.crossed || entry->facts.perhaps)
		write_events(remedying);
	else
		ct_ffm_condition(remedying,
				 "Shown: no work of other streams relies on it, as far as kernels "
				 "use what they are given. Not known: whether %s.",
				 entry->facts.timed ? "libraries or other threads do"
						    : "libraries or other threads do, or clocks "
						      "are read around it");
}

void ct_ffm_write_wait_late(struct ct_ffm_remedying *remedying)
{
	const struct ct_ffm_entry *entry = remedying->entry;
	char place[CT_FFM_TEXT_BYTES];

	ct_ffm_remedy_place(remedying->study, entry->site.stack, place);
	fprintf(remedying->fix, "Record an event where %s at %s is, and wait for it before ",
		entry->site.call, place);
	if (!ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_USED) &&
	    !ct_ffm_write_sites(remedying->fix, remedying->study, entry, CT_FFM_FREED))
		fputs("the first access", remedying->fix);
	fprintf(remedying->fix, ", %.3g ms later.", (double)entry->first_use_ns / 1e6);
	ct_ffm_condition(remedying,
			 "Shown for this input: in %llu of %llu calls from there the first access "
			 "comes late. All paths to an access must pass the new wait.",
			 (unsigned long long)entry->site.count,
			 (unsigned long long)entry->occurrences);
	if (ct_ffm_related_site(entry, CT_FFM_TAKER)) {
		ct_ffm_condition(remedying, "Shown: ");
		ct_ffm_write_sites(remedying->condition, remedying->study, entry, CT_FFM_TAKER);
		fputs(" waits for the same behind it and must go there, too.",
		      remedying->condition);
	}
	condition_of_clocks(remedying);
	fprintf(remedying->skeleton,
		"cudaEventRecord(done, stream);  // in place of %s at %s\n"
		"…\n"
		"cudaEventSynchronize(done);     // before the first access\n",
		entry->site.call, place);
}
