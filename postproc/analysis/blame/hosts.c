/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the host behind copies. */
#include "postproc/analysis/blame/hosts.h"

#include "postproc/facts/place.h"
#include "postproc/facts/source_name.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that a call leads to without a frame of their own: they end in the next call. */
#define TAILS_MAX 8u

/* A statement or a call of a unit of host code. */
struct entry {
	uint32_t unit;
	const char *function, *file, *callee; /* callee: of calls, else NULL */
	uint32_t line, column;
};

/* The place that is looked for; NULL, 0: any. */
struct wanted {
	bool is_call;
	const char *callee, *function;
	const struct ct_code_frame *at;
};

static bool is_host(const struct ct_unit *unit)
{
	return unit->header->events & CT_UNIT_HOST;
}

bool ct_blame_hosts_are(const struct ct_unit *units, size_t count)
{
	for (size_t u = 0; u < count; u++)
		if (is_host(&units[u]))
			return true;
	return false;
}

/* Without what leads from the directory of the compile. */
static const char *below(const char *path)
{
	for (;; path = strchr(path, '/') + 1)
		if (strncmp(path, "./", 2) != 0 && strncmp(path, "../", 3) != 0)
			return path;
}

/* Whether paths are of one file, of which one may lack the first directories. */
static bool is_same_file(const char *a, const char *b)
{
	const char *of_a = below(a), *of_b = below(b);
	size_t a_bytes = strlen(of_a), b_bytes = strlen(of_b);
	const char *longer = a_bytes > b_bytes ? of_a : of_b;
	const char *shorter = a_bytes > b_bytes ? of_b : of_a;
	size_t more = a_bytes > b_bytes ? a_bytes - b_bytes : b_bytes - a_bytes;

	return *shorter && !strcmp(longer + more, shorter) && (!more || longer[more - 1] == '/');
}

static struct entry entry_of(const struct ct_unit *units, uint32_t u, bool is_call, uint32_t i)
{
	const struct ct_unit *unit = &units[u];
	const struct ct_unit_statement *s = is_call ? NULL : &unit->statements[i];
	const struct ct_unit_call *c = is_call ? &unit->calls[i] : NULL;

	return (struct entry){
	    .unit = u,
	    .function = ct_unit_string(unit, s ? s->function : c->function),
	    .file = ct_unit_string(unit, s ? s->file : c->file),
	    .callee = c ? ct_unit_string(unit, c->callee) : NULL,
	    .line = s ? s->line : c->line,
	    .column = s ? s->column : c->column,
	};
}

static bool fits(const struct entry *entry, const struct wanted *wanted)
{
	return (!wanted->callee || !strcmp(entry->callee, wanted->callee)) &&
	       (!wanted->function || !strcmp(entry->function, wanted->function)) &&
	       (!wanted->at ||
		(entry->line == wanted->at->line && is_same_file(entry->file, wanted->at->file)));
}

/* Instances of a template stand at the same lines. */
static bool is_in(const struct entry *entry, const struct ct_code_frame *frame)
{
	char *name = ct_source_name(entry->function);
	bool is = name && !strcmp(name, frame->function);

	free(name);
	return is;
}

/* How many there are, and of these one, in the function of the frame if there is such a one. */
static size_t find(const struct ct_blame_hosts *hosts, const struct wanted *wanted,
		   struct entry *found)
{
	const struct ct_blame_weights *weights = hosts->blame->state->weights;
	size_t count = 0;

	for (uint32_t u = 0; u < weights->unit_count; u++) {
		const struct ct_unit_header *header = weights->units[u].header;
		uint32_t entries = wanted->is_call ? header->call_count : header->statement_count;

		for (uint32_t i = 0; i < entries && is_host(&weights->units[u]); i++) {
			struct entry entry = entry_of(weights->units, u, wanted->is_call, i);

			if (fits(&entry, wanted) &&
			    (!count++ || (wanted->at && is_in(&entry, wanted->at))))
				*found = entry;
		}
	}
	return count;
}

static bool push(struct ct_blame_chain *chain, const struct entry *entry)
{
	if (chain->depth >= CT_BLAME_FRAMES_MAX)
		return false;
	chain->frame[chain->depth++] = (struct ct_blame_frame){
	    .unit = entry->unit,
	    .function = entry->function,
	    .file = entry->file,
	    .line = entry->line,
	    .column = entry->column,
	};
	return true;
}

/* A frame without a copy has called what ends in one, if there is but one that it can be. */
static bool push_tails(const struct ct_blame_hosts *hosts, const struct ct_code_frame *frame,
		       struct ct_blame_chain *chain)
{
	struct entry call[TAILS_MAX], copy;
	struct wanted wanted = {.is_call = true, .at = frame};
	uint32_t calls = 0;

	while (calls < TAILS_MAX && find(hosts, &wanted, &call[calls]) == 1) {
		struct wanted within = {.function = call[calls].callee};
		size_t copies = find(hosts, &within, &copy);
		bool is_pushed = copies == 1 && push(chain, &copy);

		calls++;
		while (is_pushed && calls > 0)
			is_pushed = push(chain, &call[--calls]);
		if (copies)
			return is_pushed;
		wanted = (struct wanted){.is_call = true, .function = within.function};
	}
	return false;
}

static void make_chain(const struct ct_blame_hosts *hosts, uint32_t path,
		       struct ct_blame_chain *chain)
{
	const struct ct_code_frame *const *frames;
	size_t count = ct_host_paths_frames(hosts->paths, path, &frames);
	struct entry entry;

	chain->depth = 0;
	if (!count)
		return;
	if (find(hosts, &(struct wanted){.at = frames[count - 1]}, &entry)) {
		push(chain, &entry);
	} else if (!push_tails(hosts, frames[count - 1], chain)) {
		chain->depth = 0;
		return;
	}
	while (--count > 0) {
		const struct wanted wanted = {
		    .is_call = true,
		    .callee = chain->frame[chain->depth - 1].function,
		    .at = frames[count - 1],
		};

		if (!find(hosts, &wanted, &entry) || !push(chain, &entry))
			return;
	}
}

static int make(struct ct_blame_hosts *hosts, uint32_t path, struct ct_blame_flows *flows)
{
	struct ct_blame_state *state = hosts->blame->state;
	struct ct_blame_credit credit = {.share_room = 0};
	int err = 0;

	flows->is_made = true;
	make_chain(hosts, path, &state->chain);
	if (state->chain.depth)
		err = ct_blame_credit_make(&credit, state->places, state->weights->units,
					   &state->chain);
	flows->is_known = err == 0 && credit.is_known;
	flows->blamed = credit.blamed;
	flows->read = credit.read;
	credit.blamed = credit.read = (struct ct_blame_set){0};
	ct_blame_credit_fini(&credit);
	return err;
}

int ct_blame_hosts_init(struct ct_blame_hosts *hosts, struct ct_blame *blame,
			const struct ct_host_paths *paths)
{
	*hosts = (struct ct_blame_hosts){.blame = blame, .paths = paths};
	hosts->flows = calloc(ct_host_paths_count(paths) + 1, sizeof(*hosts->flows));
	return hosts->flows ? 0 : -ENOMEM;
}

void ct_blame_hosts_fini(struct ct_blame_hosts *hosts)
{
	for (size_t p = 0; hosts->flows && p <= ct_host_paths_count(hosts->paths); p++) {
		free(hosts->flows[p].blamed.of);
		free(hosts->flows[p].read.of);
	}
	free(hosts->flows);
	hosts->flows = NULL;
}

int ct_blame_hosts_of(struct ct_blame_hosts *hosts, const struct ct_transfer_info *transfer,
		      const struct ct_blame_flows **flows)
{
	uint32_t path = ct_host_paths_of_transfer(hosts->paths, transfer);
	struct ct_blame_flows *of = path ? &hosts->flows[path] : NULL;
	int err = of && !of->is_made ? make(hosts, path, of) : 0;

	*flows = of && of->is_known ? of : NULL;
	return err;
}

/* `this` is what a caller's variable is. */
bool ct_blame_hosts_shows(const struct ct_blame *blame, uint64_t variable)
{
	const struct ct_unit *unit = &blame->state->weights->units[variable >> 32];
	const struct ct_unit_variable *v = &unit->variables[(uint32_t)variable];

	for (; v->parent != CT_NONE; v = &unit->variables[v->parent]) {
		const char *name = ct_unit_string(unit, v->name);

		if (*name == '_' || strchr(name, '<'))
			return false;
	}
	return !ct_place_is_foreign(ct_unit_string(unit, v->file)) &&
	       strcmp(ct_unit_string(unit, v->name), "this") != 0;
}

uint64_t ct_blame_hosts_shown(const struct ct_blame *blame, uint64_t variable)
{
	const struct ct_unit *unit = &blame->state->weights->units[variable >> 32];

	while (!ct_blame_hosts_shows(blame, variable)) {
		uint32_t parent = unit->variables[(uint32_t)variable].parent;

		if (parent == CT_NONE)
			break;
		variable = (variable >> 32) << 32 | parent;
	}
	return variable;
}

int ct_blame_hosts_name(const struct ct_unit *unit, uint32_t variable,
			struct ct_blame_object *object)
{
	const struct ct_unit_variable *v = &unit->variables[variable];
	char *name = strdup(ct_unit_string(unit, v->name)), *function;

	object->type = ct_unit_string(unit, v->type);
	for (; name && v->parent != CT_NONE; v = &unit->variables[v->parent]) {
		const struct ct_unit_variable *parent = &unit->variables[v->parent];
		char *longer = NULL;

		if (asprintf(&longer, "%s%s%s", ct_unit_string(unit, parent->name),
			     *name == '[' ? "" : ".", name) < 0)
			longer = NULL;
		free(name);
		name = longer;
	}
	object->own_name = name;
	function = ct_source_name(ct_unit_string(unit, v->function));
	if (!name || !function ||
	    asprintf(&object->own_site, "V\x1f%s\x1f%u\x1f\x1f%s", ct_unit_string(unit, v->file),
		     v->line, function) < 0)
		object->own_site = NULL;
	free(function);
	object->site = object->own_site;
	return object->own_site ? 0 : -ENOMEM;
}
