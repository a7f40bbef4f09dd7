/* SPDX-License-Identifier: Apache-2.0 */
/* Names of a trace's stacks and lines of its sources, from any file of names beside any events and
 * tables. */
#include "postproc/sources/store.h"
#include "postproc/symbols/symbols.h"
#include "tests/fuzz/scratch.h"
#include "trace/codec/table.h"

#include <stdlib.h>
#include <string.h>

#define LINES 40u

/* Whether no file has to be asked, for which a process is started. */
static bool is_all_stored(const struct ct_stack_tree *stacks)
{
	for (size_t i = 0; i < stacks->places; i++)
		if (stacks->place[i].file &&
		    (i >= stacks->stored_room || !stacks->stored[i].count ||
		     !stacks->stored[i].row->function))
			return false;
	return true;
}

static void use_names(const struct ct_stack_tree *stacks)
{
	const struct ct_symbols_options options = {.debug_path = NULL};
	struct ct_symbols *symbols;
	const uint32_t *number;

	if (!is_all_stored(stacks) || ct_symbols_open(&symbols, stacks, &options) < 0)
		return;
	for (size_t i = 0; i < stacks->places; i++) {
		size_t count = ct_symbols_frames(symbols, (uint32_t)i, &number);

		if (!count)
			abort();
		for (size_t n = 0; n < count; n++)
			if (!*ct_symbols_frame(symbols, number[n])->function)
				abort();
	}
	ct_symbols_close(symbols);
}

static void use_sources(struct ct_trace *trace)
{
	struct ct_source_store *store;

	if (ct_source_store_open(&store, &trace, 1, NULL, CT_QUOTE_SOURCES) < 0)
		return;
	for (size_t i = 0; i < ct_source_count(store); i++) {
		const char *path = ct_source_path(store, i);

		if (!*ct_source_file(store, i))
			abort();
		ct_source_state(store, path);
		ct_source_is_known(store, path);
		for (uint32_t line = 0; line < LINES; line++) {
			const char *text = ct_source_line(store, path, line);

			if (text && strchr(text, '\n'))
				abort();
		}
	}
	ct_source_store_close(store);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char *const files[] = {"events-0.ct", "tables-0.ct", "names-0.ct", NULL};
	struct ct_stack_tree stacks;
	struct ct_trace *trace;
	char why[512];

	if (scratch_files(files, data, size) < 0)
		return 0;
	if (ct_trace_open(&trace, scratch_directory(), why, sizeof(why)) < 0)
		return 0;
	if (ct_stacks_init(&stacks, trace) == 0) {
		use_names(&stacks);
		ct_stacks_fini(&stacks);
	}
	use_sources(trace);
	ct_trace_close(trace);
	return 0;
}
