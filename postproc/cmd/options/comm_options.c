/* SPDX-License-Identifier: Apache-2.0 */
/* Options that all commands which analyse communication share. */
#include "postproc/cmd/options/comm_options.h"
#include "base/quantity.h"
#include "postproc/cmd/base/trace_file.h"
#include <stdio.h>
#include <stdlib.h>

/* The link from an H200 to the others of its host, each way: bytes a second and seconds. */
#define H200_BANDWIDTH 450e9
#define H200_LATENCY 5e-6

const struct ctpost_option ctpost_comm_options[] = {
    {.name = "self", .help = "count messages of a block to itself in degrees and bisection, too"},
    {.name = NULL},
};

const struct ctpost_option ctpost_resource_options[] = {
    {.name = "memory",
     .argument = "SIZE",
     .help = "what the analysis may hold, as 2G; the rest goes to a temporary file (default: a "
	     "quarter of what is free)"},
    {.name = "threads",
     .argument = "N",
     .help = "processors to use (default: all that the process may)"},
    {.name = "temp",
     .argument = "DIR",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "directory for what memory does not hold (default $TMPDIR or /tmp)"},
    {.name = NULL},
};

const struct ctpost_option ctpost_link_options[] = {
    {.name = "bandwidth",
     .argument = "RATE",
     .help = "of a device's link, each way, in bytes a second (default 450G)"},
    {.name = "latency", .argument = "TIME", .help = "of the devices' links (default 5us)"},
    {.name = NULL},
};

int ctpost_read_resources(struct ctpost_call *call, struct ct_comm_options *options)
{
	const char *memory = ctpost_value(call, "memory"), *threads = ctpost_value(call, "threads");
	const char *temporary = getenv("TMPDIR");
	uint64_t count;

	options->directory = ctpost_value(call, "temp");
	if (!options->directory)
		options->directory = temporary && *temporary ? temporary : "/tmp";
	if (memory && (ct_parse_size(memory, &options->memory_bytes) < 0 || !options->memory_bytes))
		return ctpost_wrong(call, "memory", "a size, as 512M or 2G");
	if (threads) {
		if (ct_parse_count(threads, &count) < 0 || !count || count > 1024)
			return ctpost_wrong(call, "threads", "a number from 1 to 1024");
		options->threads = (uint32_t)count;
	}
	return CTPOST_OK;
}

int ctpost_read_comm_options(struct ctpost_call *call, struct ct_comm_options *options,
			     struct ct_selection *selection)
{
	int status = ctpost_read_resources(call, options);

	options->self = ctpost_value(call, "self") != NULL;
	options->selection = selection;
	return status == CTPOST_OK ? ctpost_read_selection(call, selection) : status;
}

int ctpost_read_link_options(struct ctpost_call *call, struct ct_scaling_options *options)
{
	const char *bandwidth = ctpost_value(call, "bandwidth");
	const char *latency = ctpost_value(call, "latency");

	options->bandwidth = H200_BANDWIDTH;
	options->latency = H200_LATENCY;
	if (bandwidth &&
	    (ct_parse_rate(bandwidth, &options->bandwidth) < 0 || options->bandwidth < 1))
		return ctpost_wrong(call, "bandwidth", "bytes a second, as 450G");
	if (latency && ct_parse_time(latency, &options->latency) < 0)
		return ctpost_wrong(call, "latency", "a time, as 5us");
	return CTPOST_OK;
}

void ctpost_comm_warn(struct ct_comm *comm)
{
	const struct ct_comm_figures *f = ct_comm_figures(comm);
	const char *directory = ct_trace_directory(ct_comm_trace(comm));

	ctpost_warn_incomplete(ct_comm_trace(comm), NULL);
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
