/* SPDX-License-Identifier: Apache-2.0 */
/* Names that traces have of their own. */
#include "postproc/symbols/stored.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The file of a module, if the row is of it; 0: it is not. */
static uint32_t file_of(const struct ct_stack_tree *stacks, const struct ct_stored_from *from,
			uint32_t part, const struct ct_row_code_file *row)
{
	const union ct_map_value *number = ct_map_find(from->module, part, row->module);
	const struct ct_code_file *file = number ? &stacks->file[number->number - 1] : NULL;

	if (!file || strcmp(file->path, ct_trace_string(from->trace, part, row->path)) != 0 ||
	    strcmp(file->build_id, ct_trace_string(from->trace, part, row->build_id)) != 0)
		return 0;
	return (uint32_t)number->number;
}

/* By module of the part the file whose names it has. */
static int take_files(struct ct_stack_tree *stacks, const struct ct_stored_from *from,
		      uint32_t part, struct ct_map *known)
{
	const struct ct_row_code_file *row;
	size_t count;
	int err = ct_trace_rows(from->trace, part, CT_TABLE_CODE_FILE, (const void **)&row, &count);

	for (size_t i = 0; i < count && err == 0; i++) {
		uint32_t number = file_of(stacks, from, part, &row[i]);
		union ct_map_value *value = number ? ct_map_put(known, row[i].module, 0) : NULL;
		struct ct_code_file *file = number ? &stacks->file[number - 1] : NULL;

		if (!file)
			continue;
		if (!value)
			return -ENOMEM;
		value->number = number;
		/* One process of several may have found what the others lacked. */
		file->flags = file->is_resolved ? file->flags & row[i].flags : row[i].flags;
		file->is_resolved = true;
	}
	return err;
}

static bool is_better(const struct ct_stored_frames *known, const struct ct_row_frame *row)
{
	return !known->count || (!known->row->function && row->function);
}

static int take_frames(struct ct_stack_tree *stacks, const struct ct_stored_from *from,
		       uint32_t part, const struct ct_map *known)
{
	const struct ct_row_frame *row;
	size_t rows;
	int err = ct_trace_rows(from->trace, part, CT_TABLE_FRAME, (const void **)&row, &rows);

	for (size_t first = 0, end; first < rows && err == 0; first = end) {
		const union ct_map_value *file = ct_map_find(known, row[first].module, 0);
		const union ct_map_value *place =
		    file ? ct_map_find(from->places, row[first].offset, file->number) : NULL;

		for (end = first + 1; end < rows && row[end - 1].flags & CT_FRAME_INLINED; end++)
			if (row[end].offset != row[first].offset ||
			    row[end].module != row[first].module)
				break;
		if (place && is_better(&stacks->stored[place->number - 1], &row[first]))
			stacks->stored[place->number - 1] = (struct ct_stored_frames){
			    from->trace, part, (uint32_t)(end - first), &row[first]};
	}
	return err;
}

static int make_room(struct ct_stack_tree *stacks)
{
	struct ct_stored_frames *grown;

	if (stacks->stored_room >= stacks->places)
		return 0;
	grown = realloc(stacks->stored, stacks->places * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	memset(grown + stacks->stored_room, 0,
	       (stacks->places - stacks->stored_room) * sizeof(*grown));
	stacks->stored = grown;
	stacks->stored_room = stacks->places;
	return 0;
}

int ct_stored_add(struct ct_stack_tree *stacks, const struct ct_stored_from *from, uint32_t part)
{
	struct ct_map known = {0};
	int err = make_room(stacks);

	if (err == 0)
		err = take_files(stacks, from, part, &known);
	if (err == 0)
		err = take_frames(stacks, from, part, &known);
	ct_map_fini(&known);
	return err;
}
