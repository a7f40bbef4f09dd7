/* SPDX-License-Identifier: Apache-2.0 */
/* Names and sources, looked up and stored in the trace. */
#include "postproc/resolve/resolve.h"
#include "base/clock.h"
#include "postproc/facts/place.h"
#include "postproc/resolve/sources.h"
#include "trace/names/directory.h"
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LEVEL 9 /* of zstd: it is little, and done once */

struct resolving {
	struct ct_trace *trace;
	const char *directory;
	const struct ct_resolve_options *options;
	struct ct_stack_tree stacks;
	struct ct_symbols *symbols;
	struct ct_read_sources read;
	struct ct_resolve_counts *resolved;
};

/* A part in the making. */
struct part {
	const struct resolving *of;
	const struct ct_process_info *process;
	const struct ct_host_event *module; /* its MODULE events */
	size_t modules;
	struct ct_named named;
	struct ct_names names;
};

/* The frames of one address of a module. */
static int write_place(struct part *part, const struct ct_row_stack *at, uint32_t place)
{
	const struct resolving *of = part->of;
	const uint32_t *number;
	size_t count = ct_symbols_frames(of->symbols, place, &number);
	int err = 0;

	of->resolved->places++;
	for (size_t i = 0; i < count && err == 0; i++) {
		const struct ct_code_frame *frame = ct_symbols_frame(of->symbols, number[i]);
		struct ct_row_frame row = {
		    .offset = at->offset,
		    .module = at->module,
		    .line = frame->line,
		    .flags = frame->is_inlined ? CT_FRAME_INLINED : 0,
		};

		if (frame->is_named)
			row.function = ct_names_string(&part->names, frame->function, &err);
		if (err == 0)
			row.file = ct_names_string(&part->names, frame->file, &err);
		if (err == 0)
			err = ct_names_row(&part->names, CT_TABLE_FRAME, &row);
		if (err == 0)
			err = ct_named_add(&part->named, frame->file, frame->line, 0);
		of->resolved->named += i == 0 && frame->is_named;
	}
	return err;
}

static int write_module(struct part *part, uint32_t module, uint32_t file)
{
	const struct ct_code_file *of = &part->of->stacks.file[file - 1];
	int err = 0;
	struct ct_row_code_file row = {
	    .module = module,
	    .flags = ct_symbols_file_flags(part->of->symbols, file),
	};

	row.path = ct_names_string(&part->names, of->path, &err);
	if (err == 0)
		row.build_id = ct_names_string(&part->names, of->build_id, &err);
	return err == 0 ? ct_names_row(&part->names, CT_TABLE_CODE_FILE, &row) : err;
}

/* Each address and each module once. */
static int write_row(struct part *part, struct ct_map *seen, const struct ct_row_stack *row,
		     uint32_t place)
{
	uint32_t file = part->of->stacks.place[place].file;
	union ct_map_value *known;
	int err = 0;

	if (!row->module || !file)
		return 0; /* of no file: its address is all there is */
	known = ct_map_put(seen, row->module, UINT64_MAX - 1);
	if (!known)
		return -ENOMEM;
	if (!known->number) {
		known->number = 1;
		err = write_module(part, row->module, file);
	}
	known = err == 0 ? ct_map_put(seen, row->offset, row->module) : NULL;
	if (err < 0 || !known)
		return err < 0 ? err : -ENOMEM;
	if (known->number)
		return 0;
	known->number = 1;
	return write_place(part, row, place);
}

static int write_frames(struct part *part)
{
	const struct resolving *of = part->of;
	const struct ct_row_stack *rows;
	struct ct_map seen = {.count = 0};
	size_t count, nodes = 0;
	const uint32_t *node;
	int err = ct_trace_rows(of->trace, part->process->part, CT_TABLE_STACK,
				(const void **)&rows, &count);

	node = ct_stacks_part(&of->stacks, part->process->part, &nodes);
	for (size_t i = 0; i < count && node && i + 1 <= nodes && err == 0; i++)
		err = write_row(part, &seen, &rows[i], of->stacks.node[node[i + 1]].place);
	ct_map_fini(&seen);
	return err;
}

static void take_newer(const char *path, uint64_t *newest)
{
	struct stat status;
	uint64_t ns;

	if (!*path || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return;
	ns = ct_clock_of(&status.st_mtim);
	if (ns > *newest)
		*newest = ns;
}

/* When the program and its libraries had been built: of none of them it is known that it was built
 * after the program had begun. */
static uint64_t built_ns(const struct part *part, const json_t *manifest)
{
	const char *program = json_string_value(json_object_get(manifest, "program"));
	uint64_t newest = 0;

	take_newer(program ? program : "", &newest);
	for (size_t i = 0; i < part->modules; i++) {
		const char *path;

		if (part->module[i].part != part->process->part)
			continue;
		path = ct_trace_string(part->of->trace, part->process->part,
				       part->module[i].module->path);
		if (!ct_place_is_foreign(path))
			take_newer(path, &newest);
	}
	if (part->process->event && (!newest || newest > part->process->event->header.time_ns))
		newest = part->process->event->header.time_ns;
	return newest;
}

/* As it was set for the run, unless it is set for us. */
static enum ct_quoting quoting_of(const struct ct_resolve_options *options, const json_t *manifest)
{
	const json_t *said = json_object_get(json_object_get(manifest, "options"), "sources");

	if (options->has_quoting)
		return options->quoting;
	return json_is_false(said) ? CT_QUOTE_NOTHING : CT_QUOTE_SOURCES;
}

static int write_sources(struct part *part, struct ct_read_sources *read)
{
	const struct resolving *of = part->of;
	json_t *manifest = json_loads(part->process->manifest, 0, NULL);
	const char *program = json_string_value(json_object_get(manifest, "program"));
	struct ct_source_writing writing = {
	    .trace = of->trace,
	    .part = part->process->part,
	    .named = &part->named,
	    .quoting = quoting_of(of->options, manifest),
	    .program = program ? program : "",
	    .built_ns = built_ns(part, manifest),
	    .read = read,
	    .names = &part->names,
	};
	int err = ct_named_add_part(&part->named, of->trace, part->process->part);

	if (err == 0)
		err = ct_write_sources(&writing);
	json_decref(manifest);
	of->resolved->left_out += writing.left_out;
	of->resolved->sources += ct_names_rows(&part->names, CT_TABLE_SOURCE);
	of->resolved->lines += ct_names_rows(&part->names, CT_TABLE_SOURCE_LINE);
	return err;
}

static void count_bytes(const struct part *part)
{
	const struct ct_file_name file = {.kind = CT_FILE_NAMES, .part = part->process->part};
	char name[CT_FILE_NAME_BYTES], *path;
	struct stat status;

	ct_file_name_format(&file, name);
	if (asprintf(&path, "%s/%s", part->of->directory, name) < 0)
		return;
	part->of->resolved->bytes += stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
	free(path);
}

static int resolve_part(struct resolving *resolving, const struct ct_process_info *process)
{
	struct part part = {.of = resolving, .process = process};
	int err;

	part.modules = ct_trace_events(resolving->trace, CT_EVENT_MODULE, &part.module);
	err = write_frames(&part);
	if (err == 0)
		err = write_sources(&part, &resolving->read);
	if (err == 0 && part.names.count) {
		err = ct_names_write(&part.names, resolving->directory, process->part, LEVEL);
		count_bytes(&part);
	}
	resolving->resolved->parts++;
	ct_names_fini(&part.names);
	ct_named_fini(&part.named);
	return err;
}

int ct_resolve(struct ct_trace *trace, const char *directory,
	       const struct ct_resolve_options *options, struct ct_resolve_counts *resolved)
{
	struct resolving resolving = {
	    .trace = trace, .directory = directory, .options = options, .resolved = resolved};
	struct ct_symbols_options symbols = options->symbols;
	const struct ct_process_info *processes;
	size_t count = ct_trace_processes(trace, &processes);
	int err = ct_stacks_init(&resolving.stacks, trace);

	symbols.asks_again = true;
	if (err == 0)
		err = ct_symbols_open(&resolving.symbols, &resolving.stacks, &symbols);
	for (size_t i = 0; i < count && err == 0; i++)
		err = resolve_part(&resolving, &processes[i]);
	ct_read_sources_fini(&resolving.read);
	ct_symbols_close(resolving.symbols);
	ct_stacks_fini(&resolving.stacks);
	return err;
}
