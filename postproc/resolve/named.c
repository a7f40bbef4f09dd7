/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of sources that are named. */
#include "postproc/resolve/named.h"
#include "base/array.h"
#include "postproc/facts/place.h"
#include "trace/codec/site.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096u
#define LINE_MAX (1u << 22)  /* of a file; what is behind it is not quoted */
#define RANGE_MAX (1u << 14) /* lines named at once */

/* NULL: memory is short. */
static struct ct_named_file *file_of(struct ct_named *named, const char *name)
{
	char buffer[PATH_BYTES];
	const char *path = ct_place_path(name, buffer, sizeof(buffer));
	bool is_new = false;
	uint32_t number = ct_intern_add(&named->paths, path, strlen(path), &is_new);
	char *copy = number && is_new ? strdup(path) : NULL;

	if (!number || (is_new && (!copy || ct_array_grow(&named->file, named->count,
							  sizeof(*named->file)) < 0))) {
		free(copy);
		return NULL;
	}
	if (is_new)
		named->file[named->count++] = (struct ct_named_file){.path = copy};
	return &named->file[number - 1];
}

static int make_room(struct ct_named_file *file, uint32_t lines)
{
	uint32_t room = (lines + lines / 2 + 512) / 8 * 8;
	uint8_t *grown;

	if (lines <= file->lines)
		return 0;
	grown = realloc(file->is_wanted, room / 8);
	if (!grown)
		return -ENOMEM;
	memset(grown + file->lines / 8, 0, (room - file->lines) / 8);
	file->is_wanted = grown;
	file->lines = room;
	return 0;
}

int ct_named_add(struct ct_named *named, const char *path, uint32_t first, uint32_t last)
{
	struct ct_named_file *file;

	if (!*path || !first || first > LINE_MAX)
		return 0;
	if (last < first)
		last = first;
	if (last - first > RANGE_MAX)
		last = first + RANGE_MAX;
	file = file_of(named, path);
	first = first > CT_NAMED_AROUND ? first - CT_NAMED_AROUND : 1;
	last += CT_NAMED_AROUND;
	if (!file || make_room(file, last + 1) < 0)
		return -ENOMEM;
	for (uint32_t line = first; line <= last; line++)
		file->is_wanted[line / 8] |= (uint8_t)(1u << line % 8);
	return 0;
}

bool ct_named_is_wanted(const struct ct_named_file *file, uint32_t line)
{
	return line < file->lines && file->is_wanted[line / 8] >> line % 8 & 1;
}

/* A table of a unit whose rows have a file and a line. */
#define ADD_TABLE(named, unit, table, count)                                                       \
	for (uint32_t i = 0; i < (count) && err == 0; i++)                                         \
		err = ct_named_add(named, ct_unit_string(unit, (unit)->table[i].file),             \
				   (unit)->table[i].line, (unit)->table[i].line);

static int add_unit(struct ct_named *named, const struct ct_unit *unit)
{
	const struct ct_unit_header *header = unit->header;
	int err = 0;

	ADD_TABLE(named, unit, kernels, header->kernel_count)
	ADD_TABLE(named, unit, sites, header->site_count)
	ADD_TABLE(named, unit, frames, header->frame_count)
	ADD_TABLE(named, unit, variables, header->variable_count)
	ADD_TABLE(named, unit, statements, header->statement_count)
	ADD_TABLE(named, unit, calls, header->call_count)
	for (uint32_t i = 0; i < header->site_count && err == 0; i++)
		err = ct_named_add(
		    named, ct_unit_string(unit, unit->sites[i].file),
		    unit->sites[i].space == CT_SPACE_LOCAL ? 0 : unit->sites[i].branch_line, 0);
	for (uint32_t i = 0; i < header->block_count && err == 0; i++)
		err = ct_named_add(named, ct_unit_string(unit, unit->blocks[i].file),
				   unit->blocks[i].line, unit->blocks[i].last_line);
	return err;
}

/* Adds the place of a launch or an allocation. seen: descriptors, each of which is one string of
 * the trace. */
static int add_descriptor(struct ct_named *named, struct ct_map *seen, const char *descriptor)
{
	char path[PATH_BYTES], line[32];
	union ct_map_value *known;
	unsigned long number;

	if (!*descriptor)
		return 0;
	known = ct_map_put(seen, (uintptr_t)descriptor, 0);
	if (!known || known->number)
		return known ? 0 : -ENOMEM;
	known->number = 1;
	number = strtoul(ct_site_field(descriptor, 2, line, sizeof(line)), NULL, 10);
	return number > LINE_MAX
		   ? 0
		   : ct_named_add(named, ct_site_field(descriptor, 1, path, sizeof(path)),
				  (uint32_t)number, 0);
}

static int add_descriptors(struct ct_named *named, struct ct_trace *trace, uint32_t part)
{
	const struct ct_launch_info *launch;
	const struct ct_object_info *object;
	size_t launches = ct_trace_launches(trace, &launch);
	size_t objects = ct_trace_objects(trace, &object);
	struct ct_map seen = {0};
	int err = 0;

	for (size_t i = 0; i < launches && err == 0; i++)
		if (launch[i].part == part)
			err = add_descriptor(named, &seen, launch[i].site);
	for (size_t i = 0; i < objects && err == 0; i++)
		if (object[i].part == part)
			err = add_descriptor(named, &seen, object[i].site);
	ct_map_fini(&seen);
	return err;
}

int ct_named_add_part(struct ct_named *named, struct ct_trace *trace, uint32_t part)
{
	const struct ct_unit *units;
	const uint32_t *own;
	size_t count = ct_trace_part_units(trace, part, &own);
	int err = add_descriptors(named, trace, part);

	ct_trace_units(trace, &units);
	for (size_t i = 0; i < count && err == 0; i++)
		err = add_unit(named, &units[own[i]]);
	return err;
}

void ct_named_fini(struct ct_named *named)
{
	for (size_t i = 0; i < named->count; i++) {
		free(named->file[i].path);
		free(named->file[i].is_wanted);
	}
	free(named->file);
	ct_intern_fini(&named->paths);
	*named = (struct ct_named){.count = 0};
}
