/* SPDX-License-Identifier: Apache-2.0 */
/* Short forms of the names of a page. */
#include "postproc/tables/short_names.h"
#include "base/array.h"
#include "postproc/facts/folded_name.h"
#include <errno.h>
#include <stdlib.h>

int ct_short_names_add(struct ct_short_names *names, struct ct_strings *texts, const char *name,
		       uint64_t number)
{
	char buffer[CT_BRIEF_NAME_BYTES];
	union ct_map_value *known = ct_map_find(&names->known, number, 0);
	uint32_t shortened;

	if (known)
		return 0;
	if (ct_strings_add(texts, ct_shown_name(name, buffer), &shortened) < 0 ||
	    ct_array_grow(&names->name, names->count, sizeof(*names->name)) < 0)
		return -ENOMEM;
	known = ct_map_put(&names->known, number, 0);
	if (!known)
		return -ENOMEM;
	known->number = shortened;
	names->name[names->count++] = number;
	return 0;
}

void ct_short_names_put(const struct ct_short_names *names, struct ct_json *json)
{
	ct_json_open_array(json, "names", CT_JSON_COMPACT);
	for (size_t i = 0; i < names->count; i++) {
		uint64_t number = ct_map_find(&names->known, names->name[i], 0)->number;

		if (number == names->name[i])
			continue;
		ct_json_open_array(json, NULL, CT_JSON_COMPACT);
		ct_json_put_number(json, NULL, names->name[i]);
		ct_json_put_number(json, NULL, number);
		ct_json_close(json);
	}
	ct_json_close(json);
}

void ct_short_names_fini(struct ct_short_names *names)
{
	ct_map_fini(&names->known);
	free(names->name);
	*names = (struct ct_short_names){.count = 0};
}
