/* SPDX-License-Identifier: Apache-2.0 */
/* From calls that hand memory out, and kernels that ran, to processes. */
#include "postproc/facts/unseen.h"

#include "base/map.h"
#include <errno.h>
#include <string.h>

/* Whether or not they succeed: they say what the program is about. */
static bool hands_out(const char *name)
{
	static const char *const begin[] = {"cudaIpc",
					    "cuIpc",
					    "cuMemExportToShareableHandle",
					    "cuMemGetHandleForAddressRange",
					    "cudaMemPoolExport",
					    "cuMemPoolExport",
					    "cudaImportExternalMemory",
					    "cuImportExternalMemory",
					    "cudaGraphics",
					    "cuGraphics"};

	for (size_t i = 0; i < sizeof(begin) / sizeof(*begin); i++)
		if (!strncmp(name, begin[i], strlen(begin[i])))
			return true;
	return false;
}

static int find_calls(bool *is_shared, struct ct_trace *trace, uint32_t part)
{
	const struct ct_row_call *row;
	size_t count;
	int err = ct_trace_rows(trace, part, CT_TABLE_CALL, (const void **)&row, &count);

	for (size_t i = 0; i < count && err == 0 && !*is_shared; i++)
		*is_shared = (row[i].kind == CT_SPAN_RUNTIME || row[i].kind == CT_SPAN_DRIVER) &&
			     hands_out(ct_trace_string(trace, part, row[i].name));
	return err;
}

/* Rows and events need not name a string by the same number. */
static uint64_t key_of(const char *text)
{
	uint64_t key = 14695981039346656037u; /* FNV-1a */

	for (; *text; text++)
		key = (key ^ (unsigned char)*text) * 1099511628211u;
	return key;
}

/* By name: activities of graphs' kernels do not say which launch they are of. */
static int note_launches(struct ct_map *known, const struct ct_trace *trace, uint32_t part)
{
	const struct ct_launch_info *launch;
	size_t count = ct_trace_launches(trace, &launch);

	for (size_t i = 0; i < count; i++) {
		if (launch[i].part != part)
			continue;
		if (!ct_map_put(known, key_of(launch[i].kernel_name), 0))
			return -ENOMEM;
	}
	return 0;
}

/* The runtime of cuda-trace launches these, of which CUPTI does not always know that. */
static bool is_ours(const struct ct_row_activity *row, const char *name)
{
	return row->flags & CT_ACTIVITY_OURS || !strncmp(name, "ct_", 3);
}

static int find_kernels(bool *is_shared, struct ct_trace *trace, uint32_t part)
{
	const struct ct_row_activity *row;
	struct ct_map known = {.entry = NULL};
	size_t count;
	int err = ct_trace_rows(trace, part, CT_TABLE_ACTIVITY, (const void **)&row, &count);

	if (err == 0)
		err = note_launches(&known, trace, part);
	for (size_t i = 0; i < count && err == 0 && !*is_shared; i++) {
		const char *name = ct_trace_string(trace, part, row[i].name);

		*is_shared = row[i].kind == CT_ACTIVITY_KERNEL && !row[i].launch && *name &&
			     !is_ours(&row[i], name) && !ct_map_find(&known, key_of(name), 0);
	}
	ct_map_fini(&known);
	return err;
}

uint64_t ct_unseen_parts(struct ct_trace *trace)
{
	const struct ct_process_info *process;
	size_t count = ct_trace_processes(trace, &process);
	uint64_t parts = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t part = process[i].part;
		bool is_shared = process[i].ranks > 1;
		int err = find_calls(&is_shared, trace, part);

		if (err >= 0 && !is_shared)
			err = find_kernels(&is_shared, trace, part);
		parts |= is_shared || err < 0 ? (uint64_t)1 << part % 64 : 0;
	}
	return parts;
}
