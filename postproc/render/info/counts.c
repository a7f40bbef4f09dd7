/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info: what sites did and what was touched, of launches of tier counts. */
#include "postproc/facts/counted.h"
#include "postproc/facts/words.h"
#include "postproc/render/info/info.h"
#include <string.h>

#define TEXT_BYTES 1024

static void add_site(struct ct_table *table, const struct ct_counted_site *site)
{
	const struct ct_unit_site *info = site->unit ? &site->unit->sites[site->site] : NULL;
	char text[TEXT_BYTES];

	ct_table_name(table, site->launch->kernel);
	ct_table_text(table, info ? ct_words_location(site->unit, info, text, sizeof(text))
				  : "code of a unit that is not in the trace");
	ct_table_text(table, info ? ct_operation_text(info->operation) : "");
	ct_table_number(table, site->launches);
	ct_table_number(table, site->warps);
	ct_table_number(table, site->lanes);
	ct_table_text(table, ct_size(site->bytes, text));
	snprintf(text, sizeof(text), "%.2f", (double)site->sectors / (double)site->warps);
	ct_table_text(table, site->sectors ? text : "");
}

static int write_sites(FILE *out, const struct ct_counted *counted, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 0},  {"where", 0, 16, 0},       {"operation", 0, 0, 0},
	    {"launches", 1, 0, 0}, {"executions", 1, 0, 0},   {"by threads", 1, 0, 0},
	    {"bytes", 1, 0, 0},    {"sectors each", 1, 0, 0},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	for (size_t i = 0; err == 0 && i < counted->sites; i++)
		add_site(table, &counted->site[i]);
	if (err == 0)
		err = ct_table_write(table, out, style);
	ct_table_close(table);
	return err;
}

static void add_object(struct ct_table *table, const struct ct_counted_object *object)
{
	const uint64_t touched[2] = {object->most_read, object->most_written};
	char text[TEXT_BYTES];

	ct_table_name(table, object->launch->kernel);
	ct_table_text(table, object->object ? ct_words_object(object->object, text, sizeof(text))
					    : "not known: no room for maps of what is touched");
	ct_table_number(table, object->launches);
	if (object->object)
		ct_table_text(table, ct_size(object->object->event->bytes, text));
	else
		ct_table_text(table, "");
	for (int i = 0; i < 2; i++)
		ct_table_text(table, object->object
					 ? ct_size(touched[i] * CT_COUNTED_SECTOR_BYTES, text)
					 : "");
}

static int write_objects(FILE *out, const struct ct_counted *counted, const struct ct_style *style)
{
	static const struct ct_column columns[] = {
	    {"kernel", 0, 12, 0}, {"object", 0, 12, 0},    {"launches", 1, 0, 0},
	    {"bytes", 1, 0, 0},   {"bytes read", 1, 0, 0}, {"bytes written", 1, 0, 0},
	};
	struct ct_table *table;
	int err = ct_table_open(&table, columns, sizeof(columns) / sizeof(*columns));

	for (size_t i = 0; err == 0 && i < counted->objects; i++)
		add_object(table, &counted->object[i]);
	if (err == 0)
		err = ct_table_write(table, out, style);
	ct_table_close(table);
	return err;
}

int ct_info_write_counts(FILE *out, const struct ct_info *info, const struct ct_style *style)
{
	size_t launches = ct_counted_launches(info->trace);
	char number[CT_NUMBER_BYTES];
	struct ct_counted counted;
	int err;

	if (!launches)
		return 0;
	err = ct_counted_init(&counted, info->trace, info->filter);
	if (err < 0)
		return err;
	fprintf(out, "\ntier %s: %s %s counted on the device, without addresses",
		ct_counted_tier_of_trace(info->trace), ct_number(launches, number),
		launches == 1 ? "launch" : "launches");
	if (strcmp(ct_counted_tier_of_trace(info->trace), "counts") == 0)
		fprintf(out, "; sectors have %u bytes", CT_COUNTED_SECTOR_BYTES);
	fputs("\n", out);
	if (counted.sites)
		err = write_sites(out, &counted, style);
	if (err == 0 && counted.objects) {
		fprintf(out, "\ntouched by the launch that touched most, in whole sectors\n");
		err = write_objects(out, &counted, style);
	}
	ct_counted_fini(&counted);
	return err;
}
