/* SPDX-License-Identifier: Apache-2.0 */
/* Options that all commands which analyse communication share. */
#ifndef CTPOST_CMD_COMM_OPTIONS_H
#define CTPOST_CMD_COMM_OPTIONS_H

#include "postproc/analysis/comm/comm.h"
#include "postproc/analysis/comm/scaling/scaling.h"
#include "postproc/command.h"
#include "postproc/facts/finding.h"
#include "postproc/facts/summary.h"

/* Places in a command's option table, from the first one on. */
enum ctpost_comm_option {
	CTPOST_COMM_KERNELS,
	CTPOST_COMM_LAUNCHES,
	CTPOST_COMM_STREAM,
	CTPOST_COMM_OBJECT,
	CTPOST_COMM_SELF,
	CTPOST_COMM_MEMORY,
	CTPOST_COMM_THREADS,
	CTPOST_COMM_TEMP,
	CTPOST_COMM_OPTIONS,
};

/* Entries of the table. */
#define CTPOST_COMM_OPTION_TABLE(first)                                                            \
	[(first) + CTPOST_COMM_KERNELS] = {.name = "kernels",                                      \
					   .argument = "REGEX",                                    \
					   .help = "only between launches of these kernels: "      \
						   "extended regular expression on name or "       \
						   "symbol"},                                      \
	[(first) + CTPOST_COMM_LAUNCHES] = {.name = "launches",                                    \
					    .argument = "N[-M]",                                   \
					    .help = "only between these launches"},                \
	[(first) + CTPOST_COMM_STREAM] = {.name = "stream",                                        \
					  .argument = "N",                                         \
					  .help = "only between launches of this stream"},         \
	[(first) + CTPOST_COMM_OBJECT] = {.name = "object",                                        \
					  .argument = "NAME",                                      \
					  .help = "only through these objects: variable name, "    \
						  "FILE:LINE of the allocation, or number"},       \
	[(first) + CTPOST_COMM_SELF] = {.name = "self",                                            \
					.help = "count messages of a CTA to itself in degrees "    \
						"and bisection, too"},                             \
	[(first) + CTPOST_COMM_MEMORY] = {.name = "memory",                                        \
					  .argument = "SIZE",                                      \
					  .help = "what the analysis may hold, as 2G; the rest "   \
						  "goes to a temporary file (default: a quarter "  \
						  "of what is free)"},                             \
	[(first) + CTPOST_COMM_THREADS] = {.name = "threads",                                      \
					   .argument = "N",                                        \
					   .help = "default: all that the process may use"},       \
	[(first) + CTPOST_COMM_TEMP] = {.name = "temp",                                            \
					.argument = "DIR",                                         \
					.complete = CTPOST_COMPLETE_DIRECTORY,                     \
					.help = "directory for what memory does not hold "         \
						"(default $TMPDIR or /tmp)"}

/* Likewise, of the links between devices. */
enum ctpost_link_option { CTPOST_LINK_BANDWIDTH, CTPOST_LINK_LATENCY, CTPOST_LINK_OPTIONS };

#define CTPOST_LINK_OPTION_TABLE(first)                                                            \
	[(first) + CTPOST_LINK_BANDWIDTH] = {.name = "bandwidth",                                  \
					     .argument = "RATE",                                   \
					     .help = "of a device's link, each way, in bytes a "   \
						     "second (default 450G)"},                     \
	[(first) + CTPOST_LINK_LATENCY] = {.name = "latency",                                      \
					   .argument = "TIME",                                     \
					   .help = "of the devices' links (default 5us)"}

/* options: zero, or with defaults; text is borrowed from call. stream: where the
 * stream's number is kept, as long as options. CTPOST_OK, or CTPOST_USAGE with call->why set. */
int ctpost_comm_options(struct ctpost_call *call, const char *command, int first,
			struct ct_comm_options *options, uint64_t *stream);

/* Bandwidth and latency of options, or their defaults. Returns as above. */
int ctpost_link_options(struct ctpost_call *call, const char *command, int first,
			struct ct_scaling_options *options);

/* What stands out in the trace and in the analysis; scaling may be NULL. 0 or -ENOMEM */
int ctpost_comm_find(struct ct_findings *findings, struct ct_comm *comm,
		     const struct ct_scaling *scaling, const struct ct_summary *summary);

/* Say on stderr what is missing from the figures. */
void ctpost_comm_warn(struct ct_comm *comm);

#endif
