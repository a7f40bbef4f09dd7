/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling, regions and estimated totals in ctpost info. */
#include "postproc/render/base/sampling.h"
#include "postproc/render/info/info.h"
#include "postproc/tables/sections.h"
#include <math.h>
#include <string.h>

#define ESTIMATE_BYTES 96

void ct_sampling_write(FILE *out, const struct ct_sampling *sampling, const struct ct_style *style)
{
	char line[CT_SAMPLING_LINE_BYTES];

	for (unsigned i = 0; ct_sampling_line(sampling, i, line); i++) {
		char *rest = strchr(line, ':');

		*rest++ = '\0';
		ct_emphasise(out, style, CT_BAD, line);
		fprintf(out, ":%s\n", rest);
	}
}

int ct_info_write_regions(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	if (info->is_selected)
		return 0;
	return ct_table_show(out, &ct_regions_table, &info->facts, SIZE_MAX, style);
}

/* "1.22 G ± 0.03 G": error to two digits, the total to the same place. */
static const char *estimate_text(double total, double error, int is_error_known,
				 char buffer[ESTIMATE_BYTES])
{
	static const char prefixes[] = " kMGTPE";
	double scale = 1;
	int prefix = 0, digits;

	while (total / scale >= 1000 && prefixes[prefix + 1]) {
		scale *= 1000;
		prefix++;
	}
	error /= scale;
	digits = error > 0 ? 1 - (int)floor(log10(error)) : 3;
	digits = digits < 0 ? 0 : digits > 6 ? 6 : digits;
	if (is_error_known)
		snprintf(buffer, ESTIMATE_BYTES, "%.*f%s%c ± %.*f%s%c", digits, total / scale,
			 prefix ? " " : "", prefix ? prefixes[prefix] : '\0', digits, error,
			 prefix ? " " : "", prefix ? prefixes[prefix] : '\0');
	else
		snprintf(buffer, ESTIMATE_BYTES, "%.3g%s%c ± unknown", total / scale,
			 prefix ? " " : "", prefix ? prefixes[prefix] : '\0');
	return buffer;
}

static void add_estimate(struct ct_table *table, const char *name,
			 const struct ct_estimate *estimate, const struct ct_launch_totals *totals)
{
	char buffer[ESTIMATE_BYTES];
	uint64_t accesses = 0;

	for (int class = 0; class < CT_ACCESS_CLASSES; class ++)
		accesses += totals->global.of[class].threads;
	ct_table_name(table, name);
	ct_table_number(table, accesses);
	for (int q = CT_QUANTITY_ALL_ACCESSES; q <= CT_QUANTITY_ALL_BYTES; q++)
		ct_table_text(table, !estimate->seen
					 ? "unknown"
					 : estimate_text(estimate->total[q], estimate->error[q],
							 estimate->is_error_known, buffer));
}

int ct_info_write_estimates(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"estimated from the sample", 0, 12, 0},
	    {"recorded", 1, 0, 0},
	    {"accesses", 1, 0, 0},
	    {"bytes", 1, 0, 0},
	};
	const struct ct_unit *units;
	size_t count = ct_trace_units(info->trace, &units);
	struct ct_table *table;
	int err;

	if (!info->estimates)
		return 0;
	err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));
	if (err < 0)
		return err;
	for (size_t u = 0; u < count; u++)
		for (uint32_t k = 0; k < units[u].header->kernel_count; k++) {
			const struct ct_estimate *estimate =
			    ct_estimates_kernel(info->estimates, u, k);

			if (estimate->is_sampled)
				add_estimate(table,
					     ct_unit_string(&units[u], units[u].kernels[k].display),
					     estimate, ct_totals_kernel(info->totals, u, k));
		}
	add_estimate(table, "all kernels", ct_estimates_sum(info->estimates),
		     ct_totals_sum(info->totals));
	fputc('\n', out);
	err = ct_table_write(table, out, style);
	ct_table_close(table);
	if (err == 0 && ct_estimates_sum(info->estimates)->unseen)
		fprintf(out,
			"not in these: %llu launches of which and of whose like no thread block is "
			"recorded\n",
			(unsigned long long)ct_estimates_sum(info->estimates)->unseen);
	return err;
}
