/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of ctpost comm as values. */
#include "postproc/cmd/comm_request.h"
#include "base/quantity.h"
#include "postproc/cmd/comm_options.h"
#include <string.h>

#define DEVICES_MAX 16
#define BINS_MAX 4096

enum {
	OPT_JSON,
	OPT_BY,
	OPT_SHARED,
	OPT_DENSITY = OPT_SHARED + CTPOST_COMM_OPTIONS,
	OPT_DENSITY_BINS,
	OPT_TRANSFERS,
	OPT_ADDRESS,
	OPT_SCALE,
	OPT_LINK,
};

const struct ctpost_option ctpost_comm_table[] = {
    [OPT_JSON] = {.name = "json", .help = "write JSON (docs/json-schema.md)"},
    [OPT_BY] = {.name = "by",
		.argument = "WHAT",
		.choices = "kernel|object|line|cta|sm|superstep",
		.complete = CTPOST_COMPLETE_WORDS,
		.help = "one table in full: kernel, object, line, cta, sm or superstep"},
    CTPOST_COMM_OPTION_TABLE(OPT_SHARED),
    [OPT_DENSITY] = {.name = "density",
		     .argument = "A-B",
		     .help = "the density map of CTAs A to B, or of all of them ('all')"},
    [OPT_DENSITY_BINS] = {.name = "density-bins",
			  .argument = "N",
			  .help = "at most N bins of CTAs on an axis of the map (default 1024)"},
    [OPT_TRANSFERS] = {.name = "transfers",
		       .help = "list every transfer: launch and CTA, launch and CTA, size, loads"},
    [OPT_ADDRESS] = {.name = "address",
		     .argument = "LO[-HI]",
		     .help = "list all that was done to these addresses, in the order of launches"},
    [OPT_SCALE] = {.name = "scale",
		   .argument = "K[-L]",
		   .help =
		       "what would cross between K (to L) devices, 2 to 16, and how to place CTAs"},
    CTPOST_LINK_OPTION_TABLE(OPT_LINK),
    {.name = NULL},
};

static int wrong(struct ctpost_call *call, int option, const char *expected)
{
	return ctpost_fail(call, CTPOST_USAGE, "comm: --%s='%s': expected %s",
			   ctpost_comm_table[option].name, call->option[option], expected);
}

static int read_density(struct ctpost_call *call, struct ctpost_comm_request *request)
{
	const char *const *option = call->option;
	struct ct_comm_options *options = &request->options;
	uint64_t first = 0, last = 0, bins = 0;

	request->density = option[OPT_DENSITY] != NULL;
	if (request->density && strcmp(option[OPT_DENSITY], "all") != 0) {
		if (ct_parse_range(option[OPT_DENSITY], &first, &last) < 0 || first == last ||
		    last > UINT32_MAX)
			return wrong(call, OPT_DENSITY, "A-B, two CTAs, or all");
		bins = last - first < BINS_MAX ? last - first + 1 : BINS_MAX;
	}
	if (option[OPT_DENSITY_BINS] &&
	    (ct_parse_count(option[OPT_DENSITY_BINS], &bins) < 0 || !bins || bins > BINS_MAX))
		return wrong(call, OPT_DENSITY_BINS, "a number from 1 to 4096");
	options->density_first = (uint32_t)first;
	options->density_last = (uint32_t)last;
	options->density_bins = (uint32_t)bins;
	return CTPOST_OK;
}

static int read_scaling(struct ctpost_call *call, struct ctpost_comm_request *request)
{
	const char *const *option = call->option;
	struct ct_scaling_options *scaling = &request->scaling_options;
	uint64_t first = 0, last = 0;

	request->scaling = option[OPT_SCALE] != NULL;
	*scaling = (struct ct_scaling_options){0};
	if (request->scaling && (ct_parse_range(option[OPT_SCALE], &first, &last) < 0 ||
				 first < 2 || last > DEVICES_MAX))
		return wrong(call, OPT_SCALE, "a number of devices from 2 to 16, or a range");
	scaling->devices_min = (uint32_t)first;
	scaling->devices_max = (uint32_t)last;
	return ctpost_link_options(call, "comm", OPT_LINK, scaling);
}

int ctpost_comm_read_request(struct ctpost_call *call, struct ctpost_comm_request *request)
{
	static const char *const by[] = {
	    [CT_BY_KERNEL] = "kernel", [CT_BY_OBJECT] = "object", [CT_BY_LINE] = "line",
	    [CT_BY_CTA] = "cta",       [CT_BY_SM] = "sm",         [CT_BY_SUPERSTEP] = "superstep",
	};
	const char *const *option = call->option;
	int status;

	memset(request, 0, sizeof(*request));
	request->json = option[OPT_JSON] != NULL;
	request->transfers = option[OPT_TRANSFERS] != NULL;
	request->options.transfers = request->transfers;
	for (size_t i = 1; option[OPT_BY] && i < sizeof(by) / sizeof(*by); i++)
		if (!strcmp(by[i], option[OPT_BY]))
			request->by = (enum ct_comm_by)i;
	request->history = option[OPT_ADDRESS] != NULL;
	if (request->history && ct_parse_addresses(option[OPT_ADDRESS], &request->first_address,
						   &request->last_address) < 0)
		return wrong(call, OPT_ADDRESS, "an address, as 0x7f0000000000, or a range");
	status = ctpost_comm_options(call, "comm", OPT_SHARED, &request->options, &request->stream);
	if (status == CTPOST_OK)
		status = read_density(call, request);
	if (status == CTPOST_OK)
		status = read_scaling(call, request);
	return status;
}
