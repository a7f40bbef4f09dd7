/* SPDX-License-Identifier: Apache-2.0 */
/* Supersteps, sites and CTAs in the words of the communication analysis. */
#include "postproc/render/comm/words.h"
#include "postproc/facts/source_name.h"
#include "postproc/render/base/words.h"
#include <stdio.h>
#include <string.h>

double ct_comm_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

bool ct_comm_has_parts(const struct ct_comm_figures *figures)
{
	return figures->supersteps &&
	       figures->superstep[figures->supersteps - 1].part != figures->superstep[0].part;
}

const char *ct_comm_transfer_call(const struct ct_transfer_info *transfer)
{
	if (*transfer->call)
		return transfer->call;
	return transfer->event->kind == CT_TRANSFER_SET ? "memset" : "copy";
}

const char *ct_comm_superstep_text(const struct ct_comm_figures *figures, uint32_t superstep,
				   char *buffer, size_t bytes)
{
	const struct ct_superstep *step = &figures->superstep[superstep];
	char part[32] = "", name[CT_BRIEF_NAME_BYTES];

	if (ct_comm_has_parts(figures))
		snprintf(part, sizeof(part), " of part %u", step->part);
	if (step->launch)
		snprintf(buffer, bytes, "%s #%u%s",
			 ct_source_name_brief(step->launch->kernel, name),
			 step->launch->event->launch, part);
	else
		snprintf(buffer, bytes, "%s%s", ct_comm_transfer_call(step->transfer), part);
	return buffer;
}

const char *ct_comm_site_text(const struct ct_unit *unit, uint32_t site, char *buffer, size_t bytes)
{
	if (!unit || site >= unit->header->site_count)
		snprintf(buffer, bytes, "unknown location");
	else
		ct_words_location(unit, &unit->sites[site], buffer, bytes);
	return buffer;
}

const char *ct_comm_object_text(const struct ct_object_info *object, char *buffer, size_t bytes)
{
	char name[256], site[512];

	if (!object) {
		snprintf(buffer, bytes, "no known object");
		return buffer;
	}
	ct_words_object(object, name, sizeof(name));
	ct_words_descriptor(object->site, site, sizeof(site));
	if (*site)
		snprintf(buffer, bytes, "%s (%s)", name, site);
	else
		snprintf(buffer, bytes, "%s", name);
	return buffer;
}
