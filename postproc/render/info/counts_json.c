/* SPDX-License-Identifier: Apache-2.0 */
/* ctpost info --json: "counts", of launches of tier counts. */
#include "postproc/facts/counted.h"
#include "postproc/facts/words.h"
#include "postproc/render/base/json.h"
#include "postproc/render/info/info.h"
#include <errno.h>

static json_t *site_json(const struct ct_counted_site *site)
{
	json_t *value = json_object();

	json_object_set_new(value, "kernel", ct_json_text(site->launch->kernel));
	json_object_set_new(value, "symbol", ct_json_text(site->launch->kernel_name));
	json_object_set_new(value, "site",
			    site->unit ? ct_json_site(site->unit, site->site) : json_null());
	json_object_set_new(value, "launches", ct_json_number(site->launches));
	json_object_set_new(value, "executions", ct_json_number(site->warps));
	json_object_set_new(value, "accesses", ct_json_number(site->lanes));
	json_object_set_new(value, "sectors", ct_json_number(site->sectors));
	json_object_set_new(value, "bytes", ct_json_number(site->bytes));
	return value;
}

/* null: not known */
static json_t *bytes_of(const struct ct_counted_object *object, uint64_t sectors)
{
	return object->object ? ct_json_number(sectors * CT_COUNTED_SECTOR_BYTES) : json_null();
}

static json_t *object_json(const struct ct_counted_object *object)
{
	json_t *value = json_object();
	char name[1024];

	json_object_set_new(value, "kernel", ct_json_text(object->launch->kernel));
	json_object_set_new(value, "symbol", ct_json_text(object->launch->kernel_name));
	json_object_set_new(value, "object",
			    object->object ? json_integer(object->object->event->object)
					   : json_null());
	json_object_set_new(value, "name",
			    ct_json_text(object->object
					     ? ct_words_object(object->object, name, sizeof(name))
					     : ""));
	json_object_set_new(value, "launches", ct_json_number(object->launches));
	json_object_set_new(value, "bytes_read", bytes_of(object, object->read));
	json_object_set_new(value, "bytes_written", bytes_of(object, object->written));
	json_object_set_new(value, "most_read", bytes_of(object, object->most_read));
	json_object_set_new(value, "most_written", bytes_of(object, object->most_written));
	return value;
}

int ct_info_counts_json(json_t *value, const struct ct_info *info)
{
	struct ct_counted counted;
	json_t *sites, *touched;

	if (!ct_counted_launches(info->trace))
		return 0;
	if (ct_counted_init(&counted, info->trace, info->filter) < 0)
		return -ENOMEM;
	sites = json_array();
	touched = json_array();
	for (size_t i = 0; i < counted.sites; i++)
		json_array_append_new(sites, site_json(&counted.site[i]));
	for (size_t i = 0; i < counted.objects; i++)
		json_array_append_new(touched, object_json(&counted.object[i]));
	ct_counted_fini(&counted);
	return json_object_set_new(value, "counts",
				   json_pack("{s:i,s:o,s:o}", "sector_bytes",
					     CT_COUNTED_SECTOR_BYTES, "sites", sites, "touched",
					     touched)) == 0
		   ? 0
		   : -ENOMEM;
}
