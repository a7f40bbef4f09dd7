/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what stays of problems from run to run. */
#include "postproc/problems/identity.h"

#include "base/array.h"
#include "base/hash.h"
#include "postproc/facts/place.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 1024u
#define OBJECTS_MAX 32u
#define OBJECT_BYTES 128u

static char *copy_of(const char *text)
{
	return strdup(text ? text : "");
}

static void free_strings(struct ct_identity *identity)
{
	free(identity->file);
	free(identity->function);
	free(identity->text);
	free(identity->objects);
	free(identity->path);
}

int ct_identities_add(struct ct_identities *identities, const struct ct_identity *identity)
{
	struct ct_identity *own;

	if (ct_array_grow(&identities->list, identities->count, sizeof(*own)) < 0)
		return -ENOMEM;
	own = &identities->list[identities->count];
	*own = *identity;
	own->file = copy_of(identity->file);
	own->function = copy_of(identity->function);
	own->text = copy_of(identity->text);
	own->objects = copy_of(identity->objects);
	own->path = copy_of(identity->path);
	if (!own->file || !own->function || !own->text || !own->objects || !own->path) {
		free_strings(own);
		return -ENOMEM;
	}
	identities->count++;
	return 0;
}

void ct_identities_fini(struct ct_identities *identities)
{
	for (size_t i = 0; i < identities->count; i++)
		free_strings(&identities->list[i]);
	free(identities->list);
	*identities = (struct ct_identities){.count = 0};
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Without the line of who had it allocated, which is in the name of some: "u (main.cu)". */
static void put_name(char name[OBJECT_BYTES], const struct ct_object_info *object)
{
	char *line;
	size_t digits;

	snprintf(name, OBJECT_BYTES, "%s", object->name);
	line = object->caller && *object->caller ? strrchr(name, ':') : NULL;
	digits = line ? strspn(line + 1, "0123456789") : 0;
	if (digits)
		memmove(line, line + 1 + digits, strlen(line + 1 + digits) + 1);
}

/* Names of the objects of a problem's parts with the id: sorted, each once. */
static void put_objects(const struct ct_problem_part *part, size_t parts, enum ct_finding_id id,
			char text[NAME_BYTES])
{
	char name[OBJECTS_MAX][OBJECT_BYTES];
	size_t count = 0, used = 0;

	*text = '\0';
	for (size_t i = 0; i < parts; i++)
		for (size_t o = 0; o < part[i].finding->objects && part[i].finding->id == id; o++)
			if (*part[i].finding->object[o]->name && count < OBJECTS_MAX)
				put_name(name[count++], part[i].finding->object[o]);
	qsort(name, count, sizeof(*name), by_name);
	for (size_t i = 0; i < count && used < NAME_BYTES; i++)
		if (!i || strcmp(name[i - 1], name[i]) != 0)
			used += (size_t)snprintf(text + used, NAME_BYTES - used, "%s%s",
						 used ? ", " : "", name[i]);
}

/* The line that the kernel of a site, in the same file, begins at; 0: not known. */
static uint32_t first_line(const struct ct_finding *finding, const struct ct_place *place)
{
	const struct ct_unit *unit = finding->sites ? finding->site[0].unit : NULL;

	for (uint32_t i = 0; unit && i < unit->header->kernel_count; i++) {
		const struct ct_unit_kernel *kernel = &unit->kernels[i];

		if (finding->kernels &&
		    !strcmp(ct_unit_string(unit, kernel->display), finding->kernel[0]) &&
		    !strcmp(ct_unit_string(unit, kernel->file), place->file) &&
		    kernel->line <= place->line)
			return kernel->line;
	}
	return 0;
}

/* Where the part is, or else its problem. A bound is of its kernel, a layout of its object: no line
 * is theirs. */
static struct ct_place place_of(const struct ct_problem *problem,
				const struct ct_problem_part *part)
{
	const struct ct_finding *finding = part->finding;

	if (finding->sites)
		return ct_place_of(finding->site[0].unit,
				   &finding->site[0].unit->sites[finding->site[0].site]);
	if (finding->file)
		return (struct ct_place){finding->file, finding->line, 0};
	return finding->line || ct_problem_is_of_kernel(part)
		   ? (struct ct_place){"", 0, 0}
		   : (struct ct_place){problem->file, problem->line, 0};
}

static void put_line(struct ct_identity *identity, const struct ct_finding *finding,
		     const struct ct_place *place, const struct ct_line_texts *texts,
		     char buffer[CT_LINE_BYTES])
{
	uint32_t first = first_line(finding, place);
	char line[CT_LINE_BYTES];
	const char *text = texts && *place->file && place->line
			       ? texts->text(texts->user, place->file, place->line, line)
			       : NULL;

	identity->line = place->line;
	identity->column = place->column;
	if (finding->is_of_object)
		return;
	if (place->line)
		identity->offset = (int64_t)place->line - first;
	if (text)
		ct_line_text(text, buffer, CT_LINE_BYTES);
}

/* Puts what parts of the id are worth together: of the first id what its problem is. */
static void put_worth(struct ct_identity *identity, const struct ct_problems *problems,
		      const struct ct_problem *problem, size_t first)
{
	const struct ct_problem_part *part = &problems->part[problem->first];

	identity->seconds = part[first].seconds;
	identity->bound = part[first].bound;
	identity->is_estimate = part[first].is_estimate;
	identity->is_wrong = ct_problem_is_wrong(&part[first]);
	for (size_t i = first + 1; i < problem->parts; i++)
		if (part[i].finding->id == identity->id && !isnan(part[i].seconds)) {
			identity->seconds += part[i].seconds;
			identity->bound += isnan(part[i].bound) ? part[i].seconds : part[i].bound;
		}
	if (first == 0) {
		identity->seconds = problem->seconds;
		identity->bound = problem->bound;
	}
	identity->share = identity->seconds / problems->run_seconds;
}

static int add_part(struct ct_identities *identities, const struct ct_problems *problems,
		    size_t number, size_t part, const struct ct_line_texts *texts)
{
	const struct ct_problem *problem = &problems->list[number];
	const struct ct_problem_part *parts = &problems->part[problem->first];
	const struct ct_finding *finding = parts[part].finding;
	struct ct_place place = place_of(problem, &parts[part]);
	char function[NAME_BYTES] = "", text[CT_LINE_BYTES] = "", objects[NAME_BYTES];
	struct ct_identity identity = {.id = finding->id,
				       .file = (char *)base_name(place.file),
				       .function = function,
				       .text = text,
				       .objects = objects,
				       .path = (char *)place.file,
				       .offset = CT_OFFSET_NONE,
				       .problem = number,
				       .part = part,
				       .finding = finding};
	const char *name = finding->function  ? finding->function
			   : finding->kernels ? finding->kernel[0]
					      : "";

	if (!finding->is_of_object)
		ct_function_name(name, function, sizeof(function));
	put_objects(parts, problem->parts, finding->id, objects);
	put_line(&identity, finding, &place, texts, text);
	put_worth(&identity, problems, problem, part);
	return ct_identities_add(identities, &identity);
}

static bool is_first_of_id(const struct ct_problem_part *part, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (part[i].finding->id == part[number].finding->id)
			return false;
	return true;
}

int ct_identities_init(struct ct_identities *identities, const struct ct_problems *problems,
		       const struct ct_line_texts *texts)
{
	int err = 0;

	*identities = (struct ct_identities){.count = 0};
	for (size_t i = 0; i < problems->count; i++) {
		const struct ct_problem *problem = &problems->list[i];

		for (size_t p = 0; p < problem->parts && err == 0; p++)
			if (is_first_of_id(&problems->part[problem->first], p))
				err = add_part(identities, problems, i, p, texts);
	}
	return err;
}

const char *ct_identity_fingerprint(const struct ct_identity *identity,
				    char text[CT_FINGERPRINT_BYTES])
{
	uint64_t hash = ct_hash_join_string(0, ct_finding_id_text(identity->id));

	hash = ct_hash_join_string(hash, identity->file);
	hash = ct_hash_join_string(hash, identity->function);
	hash = *identity->text ? ct_hash_join_string(hash, identity->text)
			       : ct_hash_join(hash, (uint64_t)identity->offset);
	hash = ct_hash_join_string(hash, identity->objects);
	snprintf(text, CT_FINGERPRINT_BYTES, "%016" PRIx64, hash);
	return text;
}
