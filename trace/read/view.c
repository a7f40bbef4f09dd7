/* SPDX-License-Identifier: Apache-2.0 */
/* The same trace for several threads. */
#include "base/large.h"
#include "trace/read/reader_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Which objects are alive is found out on the way: each view is elsewhere. */
static int copy_parts(struct ct_trace *view, const struct ct_trace *trace)
{
	struct ct_part *parts;
	size_t count = CT_COUNT(struct ct_part, &trace->parts);

	view->parts = (struct ct_buffer){0};
	if (!ct_buffer_append(&view->parts, trace->parts.bytes, trace->parts.size))
		return -ENOMEM;
	parts = CT_ARRAY(struct ct_part, &view->parts);
	for (size_t i = 0; i < count; i++) {
		parts[i].live = (struct ct_live){0};
		parts[i].changes_done = 0;
	}
	return 0;
}

int ct_trace_view(struct ct_trace **out, const struct ct_trace *trace)
{
	struct ct_trace *view = malloc(sizeof(*view));

	*out = NULL;
	if (!view)
		return -ENOMEM;
	*view = *trace;
	view->is_view = true;
	view->warnings = view->warned_at = view->owned = view->owned_rows = (struct ct_buffer){0};
	if (copy_parts(view, trace) < 0) {
		free(view);
		return -ENOMEM;
	}
	*out = view;
	return 0;
}

void ct_trace_close_view(struct ct_trace *view)
{
	for (size_t i = 0; i < CT_COUNT(struct ct_part, &view->parts); i++)
		ct_live_fini(&CT_ARRAY(struct ct_part, &view->parts)[i].live);
	ct_buffer_fini(&view->parts);
	for (size_t i = 0; i < CT_COUNT(char *, &view->warnings); i++)
		free(CT_ARRAY(char *, &view->warnings)[i]);
	ct_buffer_fini(&view->warnings);
	ct_buffer_fini(&view->warned_at);
	free(view);
}

/* A warning of a view. */
struct remark {
	uint64_t place;
	size_t number; /* among the view's: remarks about one place are one view's */
	const char *text;
};

static int compare_remarks(const void *a, const void *b)
{
	const struct remark *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void collect(struct ct_buffer *remarks, const struct ct_trace *view)
{
	for (size_t i = 0; i < CT_COUNT(char *, &view->warnings); i++) {
		const struct remark remark = {
		    .place = CT_ARRAY(const uint64_t, &view->warned_at)[i],
		    .number = i,
		    .text = CT_ARRAY(char *, &view->warnings)[i],
		};

		ct_buffer_append(remarks, &remark, sizeof(remark));
	}
}

void ct_trace_join_views(struct ct_trace *trace, struct ct_trace *const *views, size_t count)
{
	struct ct_buffer remarks = {0};

	for (size_t i = 0; i < count; i++)
		collect(&remarks, views[i]);
	if (remarks.size)
		qsort(remarks.bytes, CT_COUNT(struct remark, &remarks), sizeof(struct remark),
		      compare_remarks);
	for (size_t i = 0; i < CT_COUNT(struct remark, &remarks); i++)
		ct_trace_warn(trace, "%s", CT_ARRAY(struct remark, &remarks)[i].text);
	ct_buffer_fini(&remarks);
}

/* A warning in bytes; its text is behind it. */
struct packed {
	uint64_t place, bytes;
};

int ct_trace_pack_warnings(const struct ct_trace *view, struct ct_buffer *bytes)
{
	for (size_t i = 0; i < CT_COUNT(char *, &view->warnings); i++) {
		const char *text = CT_ARRAY(char *, &view->warnings)[i];
		const struct packed packed = {CT_ARRAY(const uint64_t, &view->warned_at)[i],
					      strlen(text)};

		if (!ct_buffer_append(bytes, &packed, sizeof(packed)) ||
		    !ct_buffer_append(bytes, text, packed.bytes))
			return -ENOMEM;
	}
	return 0;
}

/* One that is there already is kept: this place may be the first. */
int ct_trace_unpack_warnings(struct ct_trace *view, const void *bytes, size_t count)
{
	const char *at = bytes, *end = count ? at + count : at; /* bytes may be NULL */
	struct packed packed;
	char *text;

	while (at < end) {
		if ((size_t)(end - at) < sizeof(packed))
			return -EPROTO;
		memcpy(&packed, at, sizeof(packed));
		at += sizeof(packed);
		if ((size_t)(end - at) < packed.bytes)
			return -EPROTO;
		text = strndup(at, packed.bytes);
		if (!text || !ct_buffer_append(&view->warned_at, &packed.place, sizeof(uint64_t)) ||
		    !ct_buffer_append(&view->warnings, &text, sizeof(text))) {
			free(text);
			return -ENOMEM;
		}
		at += packed.bytes;
	}
	return 0;
}
