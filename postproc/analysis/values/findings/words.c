/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the tables of values. */
#include "postproc/analysis/values/findings/words.h"

#include <stdio.h>

const char *ct_value_place_text(const char *site, char text[CT_VALUE_WORDS])
{
	char file[CT_VALUE_WORDS - 24], line[24];

	ct_site_field(site, 1, file, sizeof(file));
	ct_site_field(site, 2, line, sizeof(line));
	if (!*file)
		return NULL;
	snprintf(text, CT_VALUE_WORDS, "%s:%s", file, line);
	return text;
}

const char *ct_value_object_name(const struct ct_values_figures *values, uint32_t group)
{
	return values->object[group] ? ct_values_group_text(values, group) : NULL;
}

void ct_value_words_add(struct ct_value_words *words, const char *word)
{
	int count;

	if (words->used >= sizeof(words->text))
		return;
	count = snprintf(words->text + words->used, sizeof(words->text) - words->used, "%s%s",
			 words->used ? ", " : "", word);
	words->used += (size_t)count;
}

void ct_value_words_add_lives(struct ct_value_words *words, uint32_t patterns)
{
	for (unsigned p = 0; p < CT_LIFE_PATTERNS; p++)
		if (patterns >> p & 1)
			ct_value_words_add(words, ct_values_life_text((enum ct_values_life_id)p));
}
