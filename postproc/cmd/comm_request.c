/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of ctpost comm as values. */
#include "postproc/cmd/comm_request.h"
#include "base/quantity.h"
#include "postproc/cmd/base/shown.h"
#include "postproc/cmd/options/host_paths.h"
#include "postproc/cmd/options/speedup.h"
#include <string.h>

#define DEVICES_MAX 16
#define BINS_MAX 4096
#define ROWS 20 /* of a table that is cut */

static const struct ctpost_option own[] = {
    CTPOST_FORMAT_OPTIONS,
    {.name = "by",
     .argument = "WHAT",
     .choices = "kernel|object|line|cta|sm|superstep",
     .complete = CTPOST_COMPLETE_WORDS,
     .help = "one table in full: kernel, object, line, cta, sm or superstep"},
    {.name = "rows", .argument = "N|all", .help = "most rows of each table (default: 20)"},
    {.name = "paths",
     .help = "also from where the host launched who writes and who reads: functions and lines from "
	     "main on, if calls are recorded"},
    {.name = "exchanged",
     .help = "leave out what a block sends itself; not together with --self and --by=sm"},
    {.name = "density",
     .argument = "A-B",
     .help = "the density map of blocks A to B, or of all of them ('all')"},
    {.name = "density-bins",
     .argument = "N",
     .help = "at most N bins of blocks on an axis of the map (default 1024)"},
    {.name = "transfers",
     .help = "list every transfer: launch and block, launch and block, size, loads"},
    {.name = "address",
     .argument = "LO[-HI]",
     .help = "list all that was done to these addresses, in the order of launches"},
    {.name = "scale",
     .argument = "K[-L]",
     .help = "what would cross between K (to L) devices, 2 to 16, and how to place blocks"},
    {.name = "times",
     .argument = "TRACE",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "with --scale: a run of the same program with times (ctrun --calls=only), for time, "
	     "speed-up and efficiency"},
    {.name = "machine",
     .argument = "FILE",
     .complete = CTPOST_COMPLETE_FILE,
     .help = "with --scale: bandwidth and latency between devices, as ctrun calibrate measures "
	     "them on two"},
    {.name = NULL},
};

const struct ctpost_option *const ctpost_comm_groups[] = {
    own,
    ctpost_debug_options,
    ctpost_selection_options,
    ctpost_comm_options,
    ctpost_resource_options,
    ctpost_link_options,
    NULL,
};

static int read_density(struct ctpost_study *study, struct ctpost_comm_request *request)
{
	struct ct_comm_options *options = &study->options;
	struct ctpost_call *call = study->call;
	uint64_t first = 0, last = 0, bins = 0;

	request->density = ctpost_value(call, "density") != NULL;
	if (request->density && strcmp(ctpost_value(call, "density"), "all") != 0) {
		if (ct_parse_range(ctpost_value(call, "density"), &first, &last) < 0 ||
		    first == last || last > UINT32_MAX)
			return ctpost_wrong(call, "density", "A-B, two blocks, or all");
		bins = last - first < BINS_MAX ? last - first + 1 : BINS_MAX;
	}
	if (ctpost_value(call, "density-bins") &&
	    (ct_parse_count(ctpost_value(call, "density-bins"), &bins) < 0 || !bins ||
	     bins > BINS_MAX))
		return ctpost_wrong(call, "density-bins", "a number from 1 to 4096");
	options->density_first = (uint32_t)first;
	options->density_last = (uint32_t)last;
	options->density_bins = (uint32_t)bins;
	return CTPOST_OK;
}

/* One leaves out what the others count. */
static int read_exchanged(const struct ctpost_study *study, struct ctpost_comm_request *request)
{
	struct ctpost_call *call = study->call;

	request->exchanged = ctpost_value(call, "exchanged") != NULL;
	if (request->exchanged && study->options.self)
		return ctpost_fail(call, CTPOST_USAGE, "--exchanged and --self exclude each other");
	if (request->exchanged && request->by == CT_BY_SM)
		return ctpost_fail(call, CTPOST_USAGE,
				   "--by=sm does not show what a block sends itself: not with "
				   "--exchanged");
	return CTPOST_OK;
}

static int read_scaling(struct ctpost_study *study, struct ctpost_comm_request *request)
{
	struct ct_scaling_options *scaling = &study->model;
	struct ctpost_call *call = study->call;
	uint64_t first = 0, last = 0;
	int status;

	request->scaling = ctpost_value(call, "scale") != NULL;
	if (request->scaling)
		study->wanted |= CT_STUDY_SCALING;
	if (request->scaling && (ct_parse_range(ctpost_value(call, "scale"), &first, &last) < 0 ||
				 first < 2 || last > DEVICES_MAX))
		return ctpost_wrong(call, "scale", "a number of devices from 2 to 16, or a range");
	scaling->devices_min = (uint32_t)first;
	scaling->devices_max = (uint32_t)last;
	if (!request->scaling && (ctpost_value(call, "times") || ctpost_value(call, "machine")))
		return ctpost_fail(call, CTPOST_USAGE, "--times and --machine are for --scale");
	status = ctpost_read_link_options(call, scaling);
	return status == CTPOST_OK ? ctpost_comm_read_machine(call, scaling, &request->machine)
				   : status;
}

int ctpost_comm_read_request(struct ctpost_study *study, struct ctpost_comm_request *request)
{
	static const char *const by[] = {
	    [CT_BY_KERNEL] = "kernel", [CT_BY_OBJECT] = "object", [CT_BY_LINE] = "line",
	    [CT_BY_CTA] = "cta",       [CT_BY_SM] = "sm",         [CT_BY_SUPERSTEP] = "superstep",
	};
	struct ctpost_call *call = study->call;
	int status;

	memset(request, 0, sizeof(*request));
	status = ctpost_read_format(call, &request->format);
	if (status == CTPOST_OK)
		status = ctpost_read_rows(call, ROWS, &request->rows);
	if (status != CTPOST_OK)
		return status;
	request->paths = ctpost_value(call, "paths") != NULL;
	request->transfers = ctpost_value(call, "transfers") != NULL;
	study->options.transfers = request->transfers;
	study->options.deliveries = ctpost_value(call, "scale") != NULL;
	for (size_t i = 1; ctpost_value(call, "by") && i < sizeof(by) / sizeof(*by); i++)
		if (!strcmp(by[i], ctpost_value(call, "by")))
			request->by = (enum ct_comm_by)i;
	request->history = ctpost_value(call, "address") != NULL;
	if (request->history &&
	    ct_parse_addresses(ctpost_value(call, "address"), &request->first_address,
			       &request->last_address) < 0)
		return ctpost_wrong(call, "address", "an address, as 0x7f0000000000, or a range");
	status = read_exchanged(study, request);
	if (status == CTPOST_OK)
		status = read_density(study, request);
	return status == CTPOST_OK ? read_scaling(study, request) : status;
}
