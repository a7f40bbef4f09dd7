/* SPDX-License-Identifier: Apache-2.0 */
/* Launch and allocation sites in thread-local storage: noted by the arguments, consumed by the
 * call. */
#include "host-rt/calls/sites.h"
#include <cudatrace/host.h>

struct note {
	const char *site;
	const void *call; /* a symbol of CUDA's, which is our wrapper */
};

static _Thread_local struct note launch, alloc;

struct CUstream_st *__ct_launch_site(struct CUstream_st *stream, const char *site, const void *call)
{
	launch = (struct note){site, call};
	return stream;
}

const void *__ct_launch_site_function(const void *function, const char *site, const void *call)
{
	launch = (struct note){site, call};
	return function;
}

size_t __ct_alloc_site(size_t size, const char *site, const void *call)
{
	alloc = (struct note){site, call};
	return size;
}

static const char *take(struct note *slot, const struct ct_call *call)
{
	struct note note = *slot;

	*slot = (struct note){0};
	return note.call == call->symbols[0] || note.call == call->symbols[1] ? note.site : 0;
}

const char *ct_sites_take_launch(const struct ct_call *call)
{
	return take(&launch, call);
}

const char *ct_sites_take_alloc(const struct ct_call *call)
{
	return take(&alloc, call);
}
