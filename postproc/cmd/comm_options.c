/* SPDX-License-Identifier: Apache-2.0 */
/* Options that all commands which analyse communication share. */
#include "comm_options.h"
#include "../cmdline/parse.h"
#include <regex.h>

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
		if (ctpost_parse_range(option[CTPOST_COMM_LAUNCHES], &low, &high) < 0 || !low ||
		    high > UINT32_MAX)
			return wrong(call, command, "launches", option[CTPOST_COMM_LAUNCHES],
				     "N or N-M, from 1");
		filter->first_launch = (uint32_t)low;
		filter->last_launch = (uint32_t)high;
	}
	if (option[CTPOST_COMM_STREAM]) {
		if (ctpost_parse_count(option[CTPOST_COMM_STREAM], stream) < 0)
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
	uint64_t count;

	options->self = call->option[first + CTPOST_COMM_SELF] != NULL;
	if (memory &&
	    (ctpost_parse_size(memory, &options->memory_bytes) < 0 || !options->memory_bytes))
		return wrong(call, command, "memory", memory, "a size, as 512M or 2G");
	if (threads) {
		if (ctpost_parse_count(threads, &count) < 0 || !count || count > 1024)
			return wrong(call, command, "threads", threads, "a number from 1 to 1024");
		options->threads = (uint32_t)count;
	}
	return read_filter(call, command, first, &options->filter, stream);
}
