/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and traffic, from rows and lifetimes. */
#include "postproc/analysis/values/findings/subject.h"

#include <stdlib.h>

#define SECTOR 32.0
#define LEAST_BYTES 256u   /* of what is worth another shape: eight sectors */
#define TABLE_BYTES 4096u  /* of what stays in the L1, */
#define SMALL_BYTES 16384u /* of the least L1 */
#define TABLE_REQUESTS 8.0 /* if each byte is requested so often */

double ct_values_row_traffic(const struct ct_values_row *row)
{
	double bytes = (double)row->counts.bytes, sectors = SECTOR * (double)row->counts.sectors;

	return row->counts.sectors && sectors < bytes ? sectors : bytes;
}

struct ct_values_subject *ct_values_subjects(const struct ct_values_figures *figures)
{
	struct ct_values_subject *subject = calloc(figures->groups + 1, sizeof(*subject));

	if (!subject)
		return NULL;
	for (size_t g = 0; g < figures->groups; g++)
		subject[g].group = (uint32_t)g;
	for (size_t i = 0; i < figures->lives; i++) {
		const struct ct_values_lifetime *life = &figures->life[i];

		subject[life->group].object_bytes += life->object->event->bytes;
		subject[life->group].used_bytes += life->usage.used;
	}
	for (size_t i = 0; i < figures->rows; i++)
		subject[figures->row[i].group].moved_bytes +=
		    ct_values_row_traffic(&figures->row[i]);
	return subject;
}

bool ct_values_subject_is_known(const struct ct_values_subject *subject)
{
	return subject->object_bytes && subject->moved_bytes > 0;
}

static uint64_t used_of(const struct ct_values_subject *subject)
{
	return subject->used_bytes ? subject->used_bytes : subject->object_bytes;
}

bool ct_values_subject_is_small(const struct ct_values_subject *subject)
{
	return used_of(subject) < SMALL_BYTES;
}

bool ct_values_subject_is_table(const struct ct_values_subject *subject)
{
	uint64_t bytes = used_of(subject);

	return bytes < LEAST_BYTES ||
	       (bytes < TABLE_BYTES && subject->moved_bytes >= TABLE_REQUESTS * (double)bytes);
}

const char *ct_values_group_text(const struct ct_values_figures *figures, uint32_t group)
{
	const struct ct_object_info *object = figures->object[group];

	if (!object)
		return "memory of no known object";
	return object->name[0] ? object->name : "an object without a name";
}
