/* SPDX-License-Identifier: Apache-2.0 */
/* Launch and allocation sites in thread-local storage: noted by the arguments, consumed by the
 * call. */
#include "host-rt/calls/sites.h"
#include <cudatrace/host.h>

static _Thread_local const char *launch_site;
static _Thread_local const char *alloc_site;

struct CUstream_st *__ct_launch_site(struct CUstream_st *stream, const char *site)
{
	launch_site = site;
	return stream;
}

const void *__ct_launch_site_function(const void *function, const char *site)
{
	launch_site = site;
	return function;
}

size_t __ct_alloc_site(size_t size, const char *site)
{
	alloc_site = site;
	return size;
}

static const char *take(const char **slot)
{
	const char *site = *slot;

	*slot = 0;
	return site;
}

const char *ct_sites_take_launch(void)
{
	return take(&launch_site);
}

const char *ct_sites_take_alloc(void)
{
	return take(&alloc_site);
}
