/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info: what ran and what it accessed, by kernel or launch by launch, and by space. */
#include "postproc/analysis/totals/kernels.h"
#include "postproc/facts/folded_name.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/host_path.h"
#include "postproc/render/info/info.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define FEW_LAUNCHES 16
#define TEXT_BYTES 1024
#define NAMES_MAX 7
#define COLUMNS_MAX (NAMES_MAX + 8)

/* A row of either table begins and ends with these; between stands what was accessed. */
struct row {
	char name[NAMES_MAX][TEXT_BYTES];
	size_t names;
	char traced[TEXT_BYTES];
};

static void name_row(struct row *row, const char *text)
{
	char buffer[CT_BRIEF_NAME_BYTES];

	snprintf(row->name[row->names++], TEXT_BYTES, "%s", ct_shown_name(text, buffer));
}

static bool has_accesses(const struct ct_access_totals *totals)
{
	return totals->of[CT_CLASS_LOAD].warps || totals->of[CT_CLASS_STORE].warps ||
	       totals->of[CT_CLASS_ATOMIC].warps;
}

/* NULL: nothing was accessed there. */
static const struct ct_access_totals *accesses_in(const struct ct_launch_totals *totals,
						  uint32_t space)
{
	const struct ct_access_totals *accesses = &totals->global;

	if (space != CT_SPACE_GLOBAL)
		accesses = totals->other ? &totals->other->space[space] : NULL;
	return accesses && has_accesses(accesses) ? accesses : NULL;
}

static bool has_other_spaces(const struct ct_launch_totals *totals)
{
	for (uint32_t space = 0; space < CT_SPACES; space++)
		if (space != CT_SPACE_GLOBAL && accesses_in(totals, space))
			return true;
	return false;
}

static void add_line(struct ct_table *table, const struct row *row, bool is_first,
		     const char *space, const struct ct_access_totals *accesses)
{
	char text[CT_NUMBER_BYTES];

	for (size_t i = 0; i < row->names; i++)
		ct_table_text(table, is_first ? row->name[i] : "");
	if (space)
		ct_table_text(table, space);
	for (int class = 0; class < CT_ACCESS_CLASSES; class ++)
		ct_table_number(table, accesses->of[class].threads);
	for (int class = 0; class < CT_ACCESS_CLASSES; class ++)
		ct_table_text(table, ct_size(accesses->of[class].bytes, text));
	ct_table_text(table, is_first ? row->traced : "");
}

/* A line for each space in which something was accessed, but one at least. */
static void add_row(struct ct_table *table, const struct row *row, bool with_spaces,
		    const struct ct_launch_totals *totals)
{
	bool is_first = true;

	if (!with_spaces || !has_other_spaces(totals)) {
		add_line(table, row, true, with_spaces ? ct_words_space(CT_SPACE_GLOBAL) : NULL,
			 &totals->global);
		return;
	}
	for (uint32_t i = 0; i < CT_SPACES; i++) {
		/* Global memory stands first. */
		uint32_t space = i == 0 ? CT_SPACE_GLOBAL : i <= CT_SPACE_GLOBAL ? i - 1 : i;
		const struct ct_access_totals *accesses = accesses_in(totals, space);

		if (!accesses)
			continue;
		add_line(table, row, is_first, ct_words_space(space), accesses);
		is_first = false;
	}
}

/* The columns that name rows, then those of accesses; columns[COLUMNS_MAX] lives as long as the
 * table. */
static int open_table(struct ct_table **table, struct ct_column *columns,
		      const struct ct_column *names, size_t count, bool with_spaces)
{
	static const struct ct_column accesses[] = {
	    {"space", 0, 0, 0},  {"loads", 1, 0, 0},  {"stores", 1, 0, 0}, {"atomics", 1, 0, 0},
	    {"loaded", 1, 0, 0}, {"stored", 1, 0, 0}, {"atomic", 1, 0, 0}, {"traced", 0, 12, 1},
	};
	const size_t skip = with_spaces ? 0 : 1;

	memcpy(columns, names, count * sizeof(*names));
	memcpy(columns + count, accesses + skip, sizeof(accesses) - skip * sizeof(*accesses));
	return ct_table_open(table, columns, count + sizeof(accesses) / sizeof(*accesses) - skip);
}

static void traced_text(const struct ct_launch_info *launch, const struct ct_launch_sample *sample,
			const struct ct_launch_totals *totals, char *buffer, size_t bytes)
{
	size_t used;

	if (!(launch->event->flags & CT_LAUNCH_TRACED)) {
		snprintf(buffer, bytes, "no: %s", *launch->reason ? launch->reason : "unknown");
		return;
	}
	used = (size_t)snprintf(
	    buffer, bytes, "yes%s%s", launch->event->tier == CT_TIER_FULL ? "" : ": ",
	    launch->event->tier == CT_TIER_FULL ? "" : ct_words_tier(launch->event->tier));
	if (sample->recorded < sample->ctas)
		used += (size_t)snprintf(buffer + used, bytes - used, "; %llu of %llu blocks",
					 (unsigned long long)sample->recorded,
					 (unsigned long long)sample->ctas);
	if (sample->lost_unknown)
		used += (size_t)snprintf(buffer + used, bytes - used, "; chunks LOST");
	else if (sample->lost_chunks)
		used += (size_t)snprintf(buffer + used, bytes - used, "; %llu chunks LOST",
					 (unsigned long long)sample->lost_chunks);
	if (launch->error)
		used +=
		    (size_t)snprintf(buffer + used, bytes - used, "; CUDA error %d", launch->error);
	if (ct_launch_totals_is_bound(totals, launch))
		snprintf(buffer + used, bytes - used, "; %saccesses are upper bounds",
			 launch->done ? "" : "no end; ");
}

/* "-": not known */
static const char *path_text(const struct ct_info *info, const struct ct_launch_info *launch,
			     char text[TEXT_BYTES])
{
	uint32_t path = ct_host_paths_of(info->paths, launch);

	snprintf(text, TEXT_BYTES, path ? "%u" : "-", path);
	return text;
}

static int write_launches(FILE *out, const struct ct_info *info, bool with_spaces,
			  const struct ct_style *style)
{
	static const struct ct_column names[NAMES_MAX] = {
	    {"part", 1, 0, 0}, /* only of several processes */
	    {"#", 1, 0, 0},     {"kernel", 0, 12, 0}, {"grid", 0, 0, 0},
	    {"block", 0, 0, 0}, {"stream", 1, 0, 0},  {"path", 1, 0, 0}, /* only if asked for */
	};
	const size_t first = info->summary->processes.count < 2;
	const size_t without_path = ct_host_paths_count(info->paths) == 0;
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(info->trace, &launches);
	struct ct_column columns[COLUMNS_MAX];
	struct row row;
	char text[TEXT_BYTES];
	struct ct_table *table;
	int err = open_table(&table, columns, names + first, NAMES_MAX - first - without_path,
			     with_spaces);

	for (size_t i = 0; err == 0 && i < count; i++) {
		const struct ct_event_launch *event = launches[i].event;

		if (!ct_filter_launch(info->filter, &launches[i]))
			continue;
		row.names = 0;
		if (info->summary->processes.count > 1) {
			/* As in the names of its files. */
			snprintf(text, sizeof(text), "%u", launches[i].part);
			name_row(&row, text);
		}
		name_row(&row, ct_number(event->launch, text));
		name_row(&row, launches[i].kernel);
		name_row(&row, ct_words_extent(event->grid, text, sizeof(text)));
		name_row(&row, ct_words_extent(event->block, text, sizeof(text)));
		name_row(&row, ct_number(event->stream, text));
		if (ct_host_paths_count(info->paths))
			name_row(&row, path_text(info, &launches[i], text));
		traced_text(&launches[i], &info->summary->sampling.launch[i],
			    ct_totals_launch(info->totals, i), row.traced, sizeof(row.traced));
		add_row(table, &row, with_spaces, ct_totals_launch(info->totals, i));
	}
	if (err == 0)
		err = ct_table_write(table, out, style);
	ct_table_close(table);
	return err;
}

static void kernel_traced_text(const struct ct_kernel_totals *kernel, char *buffer, size_t bytes)
{
	const uint64_t launches = kernel->totals.launches;
	const char *reason =
	    kernel->left && *kernel->left->reason ? kernel->left->reason : "unknown";
	size_t used;

	if (!kernel->traced) {
		snprintf(buffer, bytes, "no: %s", reason);
		return;
	}
	if (kernel->traced == launches)
		used = (size_t)snprintf(buffer, bytes, "yes");
	else
		used = (size_t)snprintf(buffer, bytes, "%llu of %llu",
					(unsigned long long)kernel->traced,
					(unsigned long long)launches);
	if (kernel->counted == kernel->traced)
		used += (size_t)snprintf(buffer + used, bytes - used, ": counts");
	else if (kernel->counted)
		used += (size_t)snprintf(buffer + used, bytes - used, "; %llu counts",
					 (unsigned long long)kernel->counted);
	if (kernel->recorded < kernel->ctas)
		used += (size_t)snprintf(buffer + used, bytes - used, "; %llu of %llu blocks",
					 (unsigned long long)kernel->recorded,
					 (unsigned long long)kernel->ctas);
	if (kernel->lossy)
		used += (size_t)snprintf(buffer + used, bytes - used, "; %llu with chunks LOST",
					 (unsigned long long)kernel->lossy);
	if (kernel->failed)
		used += (size_t)snprintf(buffer + used, bytes - used, "; %llu failed",
					 (unsigned long long)kernel->failed);
	if (kernel->bounds)
		used += (size_t)snprintf(buffer + used, bytes - used, "; %llu upper bounds",
					 (unsigned long long)kernel->bounds);
	if (kernel->left)
		snprintf(buffer + used, bytes - used, "; others not: %s", reason);
}

static int write_kernels(FILE *out, const struct ct_info *info, bool with_spaces,
			 const struct ct_style *style)
{
	static const struct ct_column names[] = {{"kernel", 0, 12, 0}, {"launches", 1, 0, 0}};
	struct ct_column columns[COLUMNS_MAX];
	struct row row;
	char text[CT_NUMBER_BYTES];
	struct ct_kernels kernels;
	struct ct_table *table = NULL;
	int err = ct_kernels_init(&kernels, info->trace, info->totals, &info->summary->sampling,
				  info->filter);

	if (err == 0)
		err = open_table(&table, columns, names, 2, with_spaces);
	for (size_t i = 0; err == 0 && i < kernels.count; i++) {
		const struct ct_kernel_totals *kernel = &kernels.list[i];

		row.names = 0;
		name_row(&row, kernel->first->kernel);
		name_row(&row, ct_number(kernel->totals.launches, text));
		kernel_traced_text(kernel, row.traced, sizeof(row.traced));
		add_row(table, &row, with_spaces, &kernel->totals);
	}
	if (err == 0)
		err = ct_table_write(table, out, style);
	ct_table_close(table);
	ct_kernels_fini(&kernels);
	return err;
}

int ct_info_path_rows(struct ct_host_path_rows *rows, const struct ct_info *info)
{
	const struct ct_launch_info *launches;
	size_t count = ct_trace_launches(info->trace, &launches);
	int err = 0;

	for (size_t i = 0; i < count && err == 0 && ct_host_paths_count(info->paths); i++)
		if (ct_filter_launch(info->filter, &launches[i]) &&
		    !ct_host_path_rows_add(rows, &launches[i]))
			err = -ENOMEM;
	return err;
}

int ct_info_write_paths(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	struct ct_host_path_rows rows = {.paths = info->paths};
	int err = ct_info_path_rows(&rows, info);

	if (err == 0)
		err = ct_host_path_rows_write(out, &rows, style);
	ct_host_path_rows_fini(&rows);
	return err;
}

int ct_info_write_launches(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	bool with_spaces = has_other_spaces(ct_totals_sum(info->totals));

	if (info->with_launches || ct_filter_launch_count(info->filter) <= FEW_LAUNCHES)
		return write_launches(out, info, with_spaces, style);
	return write_kernels(out, info, with_spaces, style);
}
