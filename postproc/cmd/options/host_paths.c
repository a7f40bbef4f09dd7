/* SPDX-License-Identifier: Apache-2.0 */
/* Names of host stacks on behalf of a command. */
#include "postproc/cmd/options/host_paths.h"
#include <stdio.h>

const struct ctpost_option ctpost_debug_options[] = {
    {.name = "debug-path",
     .argument = "DIR[:DIR]",
     .complete = CTPOST_COMPLETE_DIRECTORY,
     .help = "further directories of separate debug files (DIR/.build-id)"},
    {.name = NULL},
};

struct ct_symbols_options ctpost_symbols_options(const struct ctpost_call *call)
{
	return (struct ct_symbols_options){.debug_path = ctpost_value(call, "debug-path")};
}

int ctpost_open_host_paths(const struct ctpost_call *call, struct ct_trace *trace,
			   struct ct_host_paths **paths)
{
	const struct ct_symbols_options options = ctpost_symbols_options(call);
	const char *const *lines;
	int err = ct_host_paths_open(paths, trace, &options);
	size_t count = err == 0 ? ct_host_paths_warnings(*paths, &lines) : 0;

	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "ctpost: warning: %s\n", lines[i]);
	return err;
}
