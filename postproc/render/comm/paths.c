/* SPDX-License-Identifier: Apache-2.0 */
/* From which host paths kernels were launched that write what others read, and read it. */
#include "postproc/render/comm/paths.h"
#include "postproc/render/comm/words.h"
#include <errno.h>
#include <string.h>

#define TEXT_BYTES 512

static int add_superstep(struct ct_host_path_rows *rows, const struct ct_comm_output *output,
			 size_t s)
{
	const struct ct_comm_superstep *of = &output->figures->of_superstep[s];
	const struct ct_launch_info *launch = output->figures->superstep[s].launch;
	struct ct_host_path_row *row;

	if (!launch || !of->passes)
		return 0;
	row = ct_host_path_rows_add(rows, output->paths, launch);
	if (!row)
		return -ENOMEM;
	row->load_bytes += of->load_bytes;
	row->store_bytes += of->store_bytes;
	row->communicated_load_bytes += of->communicated_load_bytes;
	row->communicated_store_bytes += of->communicated_store_bytes;
	return 0;
}

int ct_comm_path_rows(struct ct_host_path_rows *rows, const struct ct_comm_output *output)
{
	int err = 0;

	for (size_t s = 0; s < output->figures->supersteps && err == 0; s++)
		err = add_superstep(rows, output, s);
	return err;
}

/* The mangled name of the kernel whose body holds a site; "" of a device function. */
static const char *kernel_of(const struct ct_unit *unit, uint32_t site)
{
	uint32_t kernel = unit ? unit->sites[site].kernel : CT_NONE;

	return kernel == CT_NONE ? "" : ct_unit_string(unit, unit->kernels[kernel].name);
}

json_t *ct_comm_site_paths(const struct ct_host_path_rows *rows, const struct ct_unit *unit,
			   uint32_t site)
{
	const char *kernel = kernel_of(unit, site);
	json_t *array = json_array();

	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].path && !strcmp(rows->row[i].symbol, kernel))
			json_array_append_new(array, json_integer(rows->row[i].path));
	return array;
}

/* "transpose.cu:8:20 writes: paths 1, 3", once for each line and way. */
static void write_site(FILE *out, const struct ct_host_path_rows *rows, const struct ct_unit *unit,
		       uint32_t site, const char *does)
{
	const char *kernel = kernel_of(unit, site), *separator = "";
	char text[TEXT_BYTES];

	if (!unit)
		return;
	fprintf(out, "%s %s: path ", ct_comm_site_text(unit, site, text, sizeof(text)), does);
	for (size_t i = 0; i < rows->count; i++) {
		const struct ct_host_path_row *row = &rows->row[i];

		if (!row->path || strcmp(row->symbol, kernel) != 0)
			continue;
		fprintf(out, "%s%u (%llu launch%s)", separator, row->path,
			(unsigned long long)row->launches, row->launches == 1 ? "" : "es");
		separator = ", ";
	}
	fputs(*separator ? "\n" : "not known\n", out);
}

static bool is_told(const struct ct_comm_line_pair *pairs, size_t i, bool is_source)
{
	for (size_t p = 0; p < i; p++)
		if (is_source ? pairs[p].source_unit == pairs[i].source_unit &&
				    pairs[p].source_site == pairs[i].source_site
			      : pairs[p].target_unit == pairs[i].target_unit &&
				    pairs[p].target_site == pairs[i].target_site)
			return true;
	return false;
}

static void write_sites(FILE *out, const struct ct_comm_output *output,
			const struct ct_host_path_rows *list, size_t rows)
{
	const struct ct_comm_figures *f = output->figures;
	size_t count = rows && rows < f->line_pairs ? rows : f->line_pairs;

	for (size_t i = 0; i < count; i++) {
		const struct ct_comm_line_pair *pair = &f->line_pair[i];

		if (!is_told(f->line_pair, i, true))
			write_site(out, list, pair->source_unit, pair->source_site, "writes");
		if (!is_told(f->line_pair, i, false))
			write_site(out, list, pair->target_unit, pair->target_site, "reads");
	}
}

int ct_comm_write_paths(FILE *out, const struct ct_comm_output *output,
			const struct ct_style *style, size_t rows)
{
	struct ct_host_path_rows list = {.count = 0};
	int err;

	if (!ct_host_paths_count(output->paths))
		return 0;
	err = ct_comm_path_rows(&list, output);
	if (err == 0)
		err = ct_host_path_rows_write(out, &list, output->paths, true, style);
	if (err == 0)
		write_sites(out, output, &list, rows);
	ct_host_path_rows_fini(&list);
	return err;
}
