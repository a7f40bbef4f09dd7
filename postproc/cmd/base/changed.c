/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that are not any more what was compiled. */
#include "postproc/cmd/base/changed.h"
#include "postproc/facts/place.h"
#include "postproc/resolve/named.h"
#include "postproc/sources/store.h"
#include "trace/names/rank.h"

#include <cudatrace/format.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 4u

static const char *environment(const char *name)
{
	return getenv(name);
}

/* One of several ranks speaks. */
static bool is_silent(void)
{
	struct ct_rank rank = ct_rank_find(environment);

	return rank.rank != CT_NO_RANK && rank.rank != 0;
}

/* Those in this state that were not reported. */
static int warn_of(struct ctpost_call *call, struct ct_source_store *store,
		   enum ct_source_state state, const char *verb, const char *meaning)
{
	const char *named[NAMED_MAX];
	size_t count = 0;

	for (size_t i = 0; i < ct_source_count(store); i++) {
		const char *path = ct_source_path(store, i);
		bool is_new = false;

		if (ct_place_is_foreign(path) || ct_source_state(store, path) != state)
			continue;
		path = ct_source_file(store, i);
		if (!ct_intern_add(&call->reported, path, strlen(path), &is_new))
			return -ENOMEM;
		if (is_new && count++ < NAMED_MAX)
			named[count - 1] = path;
	}
	if (!count)
		return 0;
	fputs("ctpost: warning: ", stderr);
	for (size_t i = 0; i < count && i < NAMED_MAX; i++)
		fprintf(stderr, "%s%s", i ? ", " : "", named[i]);
	if (count > NAMED_MAX)
		fprintf(stderr, " and %zu other sources", count - NAMED_MAX);
	fprintf(stderr, " %s %s\n", count == 1 ? (*verb == 'h' ? "has" : "was") : verb, meaning);
	return 0;
}

/* A trace without names (ctpost resolve) names sources all the same. */
static int name_sources(struct ct_source_store *store, struct ct_trace *trace)
{
	const struct ct_process_info *processes;
	size_t parts = ct_trace_processes(trace, &processes);
	struct ct_named named = {.count = 0};
	int err = 0;

	for (size_t i = 0; i < parts && err == 0; i++)
		err = ct_named_add_part(&named, trace, processes[i].part);
	for (size_t i = 0; i < named.count; i++)
		ct_source_state(store, named.file[i].path);
	ct_named_fini(&named);
	return err;
}

int ctpost_warn_sources(struct ctpost_call *call, struct ct_trace *trace)
{
	struct ct_source_store *store;
	int err;

	if (is_silent())
		return 0;
	err = ct_source_store_open(&store, &trace, 1, NULL, CT_QUOTE_NOTHING);
	if (err == 0 && !ct_source_count(store))
		err = name_sources(store, trace);
	if (err == 0)
		err = warn_of(call, store, CT_SOURCE_HAS_CHANGED, "have",
			      "changed since the program ran: lines are those of then");
	if (err == 0)
		err = warn_of(call, store, CT_SOURCE_WAS_NEWER, "were",
			      "modified after the program was built: it may have other lines than "
			      "the program has");
	ct_source_store_close(store);
	return err == -ENOMEM ? err : 0;
}
