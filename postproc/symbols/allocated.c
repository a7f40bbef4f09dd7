/* SPDX-License-Identifier: Apache-2.0 */
/* Objects by who had them allocated. */
#include "postproc/symbols/allocated.h"
#include "postproc/facts/place.h"
#include <cudatrace/host.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 512u

/* A frame of the program itself, by its number among symbols; innermost first. */
#define FRAMES_MAX 64u

struct allocated {
	size_t object;
	const struct ct_object_info *info;
	uint32_t frame[FRAMES_MAX], frames;
};

struct naming {
	struct ct_trace *trace;
	struct ct_stack_tree stacks;
	struct ct_symbols *symbols;
	struct allocated *list; /* by name and site; of one, by frames */
	size_t count;
};

static const struct ct_code_frame *frame_of(const struct naming *naming,
					    const struct allocated *allocated, uint32_t level)
{
	return level < allocated->frames
		   ? ct_symbols_frame(naming->symbols, allocated->frame[level])
		   : NULL;
}

/* The part of a descriptor that says where it is: instances of a template are at one place. */
static size_t position_bytes(const char *site)
{
	size_t bytes = 0;

	for (unsigned fields = 0; site[bytes] && fields < 4; bytes++)
		fields += site[bytes] == CT_FIELD_SEPARATOR;
	return bytes;
}

static int compare_site(const struct allocated *a, const struct allocated *b)
{
	int by_name = strcmp(a->info->name, b->info->name);
	size_t of_a = position_bytes(a->info->site), of_b = position_bytes(b->info->site);

	if (by_name || of_a == of_b)
		return by_name ? by_name : memcmp(a->info->site, b->info->site, of_a);
	return of_a < of_b ? -1 : 1;
}

static int compare_frame(const struct ct_code_frame *a, const struct ct_code_frame *b)
{
	int by_file;

	if (!a || !b)
		return (a != NULL) - (b != NULL);
	by_file = strcmp(a->file, b->file);
	if (by_file)
		return by_file;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int compare(const void *x, const void *y, void *user)
{
	const struct allocated *a = x, *b = y;
	int by = compare_site(a, b);

	for (uint32_t i = 0; !by && (i < a->frames || i < b->frames); i++)
		by = compare_frame(frame_of(user, a, i), frame_of(user, b, i));
	return by ? by : (a->object > b->object) - (a->object < b->object);
}

/* Neither a header nor a library that came with the system or the toolkit. */
static bool is_own(const struct ct_code_frame *frame)
{
	bool is_library = strstr(frame->module, ".so") != NULL;

	return *frame->file && frame->line && !ct_place_is_foreign(frame->file) &&
	       !(is_library &&
		 (ct_place_is_foreign(frame->module) || !strncmp(frame->module, "/lib", 4)));
}

static void add_frames(const struct naming *naming, struct allocated *allocated, uint32_t node)
{
	const uint32_t *number;

	for (; node; node = naming->stacks.node[node].caller) {
		size_t count =
		    ct_symbols_frames(naming->symbols, naming->stacks.node[node].place, &number);

		for (size_t i = 0; i < count && allocated->frames < FRAMES_MAX; i++) {
			if (is_own(ct_symbols_frame(naming->symbols, number[i])))
				allocated->frame[allocated->frames++] = number[i];
		}
	}
}

/* Where objects of a site begin to differ. The innermost frame is the site itself, if it is known.
 */
static uint32_t find_level(const struct naming *naming, size_t first, size_t end)
{
	const struct allocated *least = &naming->list[first], *most = &naming->list[end - 1];
	uint32_t level = *least->info->site ? 1 : 0;

	/* They are sorted: what the outer two have in common all have. */
	while ((level < least->frames || level < most->frames) &&
	       !compare_frame(frame_of(naming, least, level), frame_of(naming, most, level)))
		level++;
	if (level < least->frames || level < most->frames)
		return level;
	return *least->info->name ? FRAMES_MAX : 0;
}

static int name_one(struct naming *naming, const struct allocated *allocated, uint32_t level)
{
	const struct ct_code_frame *frame = frame_of(naming, allocated, level);
	char name[NAME_BYTES], caller[NAME_BYTES], path[NAME_BYTES];
	const char *file, *base;

	if (!frame)
		return 0;
	file = ct_place_path(frame->file, path, sizeof(path));
	base = strrchr(file, '/');
	snprintf(caller, sizeof(caller), "%s:%u", file, frame->line);
	snprintf(name, sizeof(name), *allocated->info->name ? "%s (%s:%u)" : "%s%s:%u",
		 allocated->info->name, base ? base + 1 : file, frame->line);
	return ct_trace_name_object(naming->trace, allocated->object, name, caller);
}

static int name_all(struct naming *naming)
{
	int err = 0;

	for (size_t first = 0, end; first < naming->count && err == 0; first = end) {
		uint32_t level;

		for (end = first + 1; end < naming->count; end++)
			if (compare_site(&naming->list[first], &naming->list[end]))
				break;
		level = find_level(naming, first, end);
		for (size_t i = first; i < end && err == 0; i++)
			err = name_one(naming, &naming->list[i], level);
	}
	return err;
}

/* Those whose stacks are known. */
static int collect(struct naming *naming)
{
	const struct ct_object_info *infos;
	size_t count = ct_trace_objects(naming->trace, &infos), rows;

	naming->list = calloc(count + 1, sizeof(*naming->list));
	if (!naming->list)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const uint32_t *node_of = ct_stacks_part(&naming->stacks, infos[i].part, &rows);
		uint32_t stack = infos[i].event->stack;
		struct allocated *allocated = &naming->list[naming->count];

		if (!stack || !node_of || stack > rows)
			continue;
		*allocated = (struct allocated){.object = i, .info = &infos[i]};
		add_frames(naming, allocated, node_of[stack]);
		naming->count += allocated->frames != 0;
	}
	qsort_r(naming->list, naming->count, sizeof(*naming->list), compare, naming);
	return 0;
}

static bool has_stacks(const struct ct_trace *trace)
{
	const struct ct_object_info *infos;
	size_t count = ct_trace_objects(trace, &infos);

	for (size_t i = 0; i < count; i++)
		if (infos[i].event->stack)
			return true;
	return false;
}

int ct_name_allocated(struct ct_trace *trace, const struct ct_symbols_options *options)
{
	struct naming naming = {.trace = trace};
	int err = 0;

	if (!has_stacks(trace))
		return 0;
	err = ct_stacks_init(&naming.stacks, trace);
	if (err == 0)
		err = ct_symbols_open(&naming.symbols, &naming.stacks, options);
	if (err == 0)
		err = collect(&naming);
	if (err == 0)
		err = name_all(&naming);
	free(naming.list);
	ct_symbols_close(naming.symbols);
	ct_stacks_fini(&naming.stacks);
	return err;
}
