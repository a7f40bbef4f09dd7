/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the table meta. */
#include "postproc/cmd/base/meta.h"
#include "postproc/tables/sink.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

static void add(struct ctpost_meta *meta, const char *key, const char *value)
{
	size_t count = 0;

	while (meta->pair[count].key)
		count++;
	assert(count + 1 < CTPOST_META_MAX);
	meta->pair[count] = (struct ct_meta_pair){key, value};
}

static void add_options(struct ctpost_meta *meta, const struct ctpost_call *call)
{
	struct ctpost_place place = {.group = 0};
	const struct ctpost_option *option;

	while ((option = ctpost_next_option(call->command, &place))) {
		const char *value = option->stands_for || !strcmp(option->name, "output")
					? NULL
					: ctpost_value(call, option->name);
		char *key = meta->key[place.number - 1];

		if (!value)
			continue;
		snprintf(key, CTPOST_META_BYTES, "option %s", option->name);
		add(meta, key, option->argument ? value : "yes");
	}
}

void ctpost_meta_init(struct ctpost_meta *meta, const struct ctpost_call *call,
		      const struct ct_trace_facts *facts, const char *left_out)
{
	const struct ct_summary *summary = facts->summary;

	memset(meta, 0, sizeof(*meta));
	snprintf(meta->schema, sizeof(meta->schema), "%d", CT_TABLES_SCHEMA);
	snprintf(meta->start, sizeof(meta->start), "%llu", (unsigned long long)facts->start_ns);
	add(meta, "schema", meta->schema);
	add(meta, "generator", "ctpost (cuda-trace) " CT_VERSION);
	add(meta, "trace", call->operand[0]);
	add(meta, "program", summary->program);
	add(meta, "command", summary->command);
	add(meta, "host", summary->host);
	add(meta, "started", summary->started);
	add(meta, "start_ns", meta->start);
	add(meta, "complete", summary->complete ? "yes" : "no");
	if (left_out)
		add(meta, "left_out", left_out);
	add(meta, "manifest", ct_trace_manifest(facts->trace));
	if (left_out)
		add_options(meta, call);
}
