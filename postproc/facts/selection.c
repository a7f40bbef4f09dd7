/* SPDX-License-Identifier: Apache-2.0 */
/* Selects what of a trace is looked at, as users say it. */
#include "postproc/facts/selection.h"
#include "base/array.h"
#include "base/quantity.h"
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

void ct_selection_fini(struct ct_selection *selection)
{
	for (size_t i = 0; i < selection->objects; i++)
		free(selection->object[i]);
	for (size_t i = 0; i < selection->sites; i++)
		free(selection->site[i].file);
	free(selection->kernels);
	free(selection->launch);
	free(selection->stream);
	free(selection->object);
	free(selection->cta);
	free(selection->site);
	memset(selection, 0, sizeof(*selection));
}

bool ct_selection_is_all(const struct ct_selection *s)
{
	return !s->kernels && !s->launches && !s->streams && !s->objects && !s->ctas && !s->sites;
}

/* Calls add with each word of a list. */
static int each_word(struct ct_selection *selection, const char *text,
		     int (*add)(struct ct_selection *selection, const char *word))
{
	char *list = strdup(text), *rest = list, *word;
	int err = list ? 0 : -ENOMEM;

	while (err == 0 && (word = strsep(&rest, ",")))
		err = add(selection, word);
	free(list);
	return err;
}

int ct_selection_kernels(struct ct_selection *selection, const char *text, char *why,
			 size_t why_bytes)
{
	regex_t regex;
	int err = regcomp(&regex, text, REG_EXTENDED | REG_NOSUB);

	if (err) {
		regerror(err, &regex, why, why_bytes);
		return -EINVAL;
	}
	regfree(&regex);
	free(selection->kernels);
	selection->kernels = strdup(text);
	return selection->kernels ? 0 : -ENOMEM;
}

static int add_span(struct ct_id_span **list, size_t *count, const char *word)
{
	struct ct_id_span span;
	int err = ct_parse_range(word, &span.first, &span.last);

	if (err == 0)
		err = ct_array_grow(list, *count, sizeof(**list));
	if (err == 0)
		(*list)[(*count)++] = span;
	return err;
}

static int add_launches(struct ct_selection *selection, const char *word)
{
	int err = add_span(&selection->launch, &selection->launches, word);

	return err == 0 && !selection->launch[selection->launches - 1].first ? -EINVAL : err;
}

int ct_selection_launches(struct ct_selection *selection, const char *text)
{
	return each_word(selection, text, add_launches);
}

static int add_streams(struct ct_selection *selection, const char *word)
{
	return add_span(&selection->stream, &selection->streams, word);
}

int ct_selection_streams(struct ct_selection *selection, const char *text)
{
	return each_word(selection, text, add_streams);
}

static int read_axes(struct ct_cta_choice *choice, const char *word)
{
	char *list = strdup(word), *rest = list, *axis;
	int err = list ? 0 : -ENOMEM;

	while (err == 0 && (axis = strsep(&rest, ":")))
		err =
		    choice->axes == 3 ? -EINVAL : ct_parse_count(axis, &choice->at[choice->axes++]);
	free(list);
	return err;
}

static int add_cta(struct ct_selection *selection, const char *word)
{
	struct ct_cta_choice choice = {.axes = 0};
	int err = strchr(word, ':')
		      ? read_axes(&choice, word)
		      : ct_parse_range(word, &choice.linear.first, &choice.linear.last);

	if (err == 0)
		err = ct_array_grow(&selection->cta, selection->ctas, sizeof(*selection->cta));
	if (err == 0)
		selection->cta[selection->ctas++] = choice;
	return err;
}

int ct_selection_ctas(struct ct_selection *selection, const char *text)
{
	return each_word(selection, text, add_cta);
}

int ct_selection_site(struct ct_selection *selection, const char *text)
{
	const char *colon = strrchr(text, ':');
	struct ct_site_choice choice = {.file = NULL};
	int err =
	    colon == text ? -EINVAL : ct_parse_count(colon ? colon + 1 : text, &choice.number);

	if (err == 0 && colon) {
		choice.file = strndup(text, (size_t)(colon - text));
		err = choice.file ? 0 : -ENOMEM;
	}
	if (err == 0)
		err = ct_array_grow(&selection->site, selection->sites, sizeof(*selection->site));
	if (err == 0)
		selection->site[selection->sites++] = choice;
	else
		free(choice.file);
	return err;
}

int ct_selection_sites(struct ct_selection *selection, const char *text)
{
	return each_word(selection, text, ct_selection_site);
}

int ct_selection_object(struct ct_selection *selection, const char *text)
{
	char *name = *text ? strdup(text) : NULL;
	int err = !*text ? -EINVAL : name ? 0 : -ENOMEM;

	if (err == 0)
		err = ct_array_grow(&selection->object, selection->objects,
				    sizeof(*selection->object));
	if (err == 0)
		selection->object[selection->objects++] = name;
	else
		free(name);
	return err;
}

int ct_selection_objects(struct ct_selection *selection, const char *text)
{
	return each_word(selection, text, ct_selection_object);
}
