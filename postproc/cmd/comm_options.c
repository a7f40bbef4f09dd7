/* SPDX-License-Identifier: Apache-2.0 */
/* Options that all commands which analyse communication share. */
#include "postproc/cmd/comm_options.h"
#include "base/quantity.h"
#include "postproc/analysis/comm/findings/findings.h"
#include "postproc/cmd/trace_file.h"
#include "postproc/facts/limits.h"
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

/* Of an H200 to the others of its host, each way: bytes a second and seconds. */
#define H200_BANDWIDTH 450e9
#define H200_LATENCY 5e-6

static int wrong(struct ctpost_call *call, const char *command, const char *option,
		 const char *value, const char *expected)
{
	return ctpost_fail(call, CTPOST_USAGE, "%s: --%s='%s': expected %s", command, option, value,
			   expected);
}

static int read_filter(struct ctpost_call *call, const char *command, int first,
		       struct ct_comm_filter *filter, uint64_t *stream)
{
	const char *const *option = call->option + first;
	uint64_t low, high;
	regex_t regex;

	filter->kernels = option[CTPOST_COMM_KERNELS];
	filter->object = option[CTPOST_COMM_OBJECT];
	if (filter->kernels) {
		if (regcomp(&regex, filter->kernels, REG_EXTENDED | REG_NOSUB))
			return wrong(call, command, "kernels", filter->kernels,
				     "an extended regular expression");
		regfree(&regex);
	}
	if (option[CTPOST_COMM_LAUNCHES]) {
		if (ct_parse_range(option[CTPOST_COMM_LAUNCHES], &low, &high) < 0 || !low ||
		    high > UINT32_MAX)
			return wrong(call, command, "launches", option[CTPOST_COMM_LAUNCHES],
				     "N or N-M, from 1");
		filter->first_launch = (uint32_t)low;
		filter->last_launch = (uint32_t)high;
	}
	if (option[CTPOST_COMM_STREAM]) {
		if (ct_parse_count(option[CTPOST_COMM_STREAM], stream) < 0)
			return wrong(call, command, "stream", option[CTPOST_COMM_STREAM],
				     "a number");
		filter->stream = stream;
	}
	return CTPOST_OK;
}

int ctpost_comm_options(struct ctpost_call *call, const char *command, int first,
			struct ct_comm_options *options, uint64_t *stream)
{
	const char *memory = call->option[first + CTPOST_COMM_MEMORY];
	const char *threads = call->option[first + CTPOST_COMM_THREADS];
	const char *temporary = getenv("TMPDIR");
	uint64_t count;

	options->directory = call->option[first + CTPOST_COMM_TEMP];
	if (!options->directory)
		options->directory = temporary && *temporary ? temporary : "/tmp";
	options->self = call->option[first + CTPOST_COMM_SELF] != NULL;
	if (memory && (ct_parse_size(memory, &options->memory_bytes) < 0 || !options->memory_bytes))
		return wrong(call, command, "memory", memory, "a size, as 512M or 2G");
	if (threads) {
		if (ct_parse_count(threads, &count) < 0 || !count || count > 1024)
			return wrong(call, command, "threads", threads, "a number from 1 to 1024");
		options->threads = (uint32_t)count;
	}
	return read_filter(call, command, first, &options->filter, stream);
}

int ctpost_link_options(struct ctpost_call *call, const char *command, int first,
			struct ct_scaling_options *options)
{
	const char *bandwidth = call->option[first + CTPOST_LINK_BANDWIDTH];
	const char *latency = call->option[first + CTPOST_LINK_LATENCY];

	options->bandwidth = H200_BANDWIDTH;
	options->latency = H200_LATENCY;
	if (bandwidth &&
	    (ct_parse_rate(bandwidth, &options->bandwidth) < 0 || options->bandwidth < 1))
		return wrong(call, command, "bandwidth", bandwidth, "bytes a second, as 450G");
	if (latency && ct_parse_time(latency, &options->latency) < 0)
		return wrong(call, command, "latency", latency, "a time, as 5us");
	return CTPOST_OK;
}

int ctpost_comm_find(struct ct_findings *findings, struct ct_comm *comm,
		     const struct ct_scaling *scaling, const struct ct_summary *summary)
{
	struct ct_comm_results results = {
	    .figures = ct_comm_figures(comm),
	    .sampling = &summary->sampling,
	};

	if (scaling)
		results.scaling = ct_scaling_rows(scaling, &results.scaling_rows);
	ct_limits_find(findings, ct_comm_trace(comm), summary, results.figures->damaged_chunks);
	ct_comm_find(findings, &results);
	return findings->err;
}

void ctpost_comm_warn(struct ct_comm *comm)
{
	const struct ct_comm_figures *f = ct_comm_figures(comm);
	const char *directory = ct_trace_directory(ct_comm_trace(comm));

	ctpost_warn_incomplete(ct_comm_trace(comm));
	ctpost_warn_unseen(ct_comm_trace(comm));
	if (f->lost_chunks || f->damaged_chunks)
		fprintf(stderr,
			"ctpost: warning: %s: %llu chunks of records are lost and %llu damaged; "
			"what they held is missing from all figures\n",
			directory, (unsigned long long)f->lost_chunks,
			(unsigned long long)f->damaged_chunks);
	if (f->traced_launches < f->launches)
		fprintf(stderr,
			"ctpost: warning: %s: %llu of %llu launches were not traced; what they "
			"read and wrote is unknown\n",
			directory, (unsigned long long)(f->launches - f->traced_launches),
			(unsigned long long)f->launches);
	if (f->volume.forgotten_bytes)
		fprintf(stderr,
			"ctpost: warning: %s: %llu bytes were overwritten by more launches without "
			"an order than are remembered; what is read of them may be missing\n",
			directory, (unsigned long long)f->volume.forgotten_bytes);
	if (f->spilled_bytes)
		fprintf(stderr,
			"ctpost: note: %s: %llu bytes did not fit in --memory and went to a "
			"temporary file (--temp)\n",
			directory, (unsigned long long)f->spilled_bytes);
	if (f->supersteps && f->superstep[f->supersteps - 1].part != f->superstep[0].part)
		fprintf(stderr,
			"ctpost: warning: %s: the trace is of several processes; nothing is known "
			"to pass between them\n",
			directory);
}
