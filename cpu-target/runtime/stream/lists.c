/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of handles, and a list per device of each kind. */
#include "cpu-target/runtime/stream/lists.h"
#include "cpu-target/runtime/base/device.h"
#include <search.h>

static void *handles; /* tsearch tree */
static struct ct_stream *lists[CT_STREAM_LISTS][CT_CPU_DEVICES_MAX];

static int compare(const void *a, const void *b)
{
	return a < b ? -1 : a > b;
}

int ct_stream_lists_add_handle(struct ct_stream *stream)
{
	return tsearch(stream, &handles, compare) ? 0 : -1;
}

void ct_stream_lists_remove_handle(const struct ct_stream *stream)
{
	tdelete(stream, &handles, compare);
}

struct ct_stream *ct_stream_lists_find(const void *handle)
{
	return tfind(handle, &handles, compare) ? (struct ct_stream *)handle : NULL;
}

void ct_stream_lists_put(enum ct_stream_list list, struct ct_stream *stream)
{
	struct ct_stream **first = &lists[list][stream->device];

	if (stream->in[list].at)
		return;
	stream->in[list].next = *first;
	stream->in[list].at = first;
	if (*first)
		(*first)->in[list].at = &stream->in[list].next;
	*first = stream;
}

void ct_stream_lists_take(enum ct_stream_list list, struct ct_stream *stream)
{
	struct ct_stream *next = stream->in[list].next;

	if (!stream->in[list].at)
		return;
	*stream->in[list].at = next;
	if (next)
		next->in[list].at = stream->in[list].at;
	stream->in[list].at = NULL;
}

struct ct_stream *ct_stream_lists_first(enum ct_stream_list list, int device)
{
	return lists[list][device];
}
