/* SPDX-License-Identifier: Apache-2.0 */
/* Labels and branches of the text; predecessors are looked for when a barrier is asked for. */
#include "postproc/sass/flow.h"

#include "base/array.h"
#include "base/intern.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 128u

struct line {
	uint32_t label;                    /* number of its name; 0: it is no label */
	uint32_t target;                   /* of a branch; 0: it is none */
	bool is_barrier, is_end, is_first; /* nothing follows; of a function */
};

struct ct_ptx_flow {
	struct line *lines; /* line n is lines[n - 1] */
	size_t count;
	struct ct_intern names; /* of labels, with their functions */
	uint32_t function;
	uint32_t *line_of; /* by number of a label, from 1 */
	uint32_t *first;   /* likewise, and one more: of its branches in what follows */
	uint32_t *branch;  /* lines that lead to labels, by label */
	size_t labels;
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The number of a label; 0: memory is short. */
static uint32_t label_number(struct ct_ptx_flow *flow, const char *name, size_t bytes)
{
	char key[NAME_BYTES];
	int length = snprintf(key, sizeof(key), "%u %.*s", flow->function, (int)bytes, name);
	uint32_t number;
	bool is_new;

	if (length >= (int)sizeof(key))
		length = (int)sizeof(key) - 1;
	number = ct_intern_add(&flow->names, key, (size_t)length, &is_new);
	flow->labels = number > flow->labels ? number : flow->labels;
	return number;
}

/* "@!%p1 opcode operands;" */
static int take_instruction(struct ct_ptx_flow *flow, struct line *line, const char *text)
{
	bool is_guarded = *text == '@';

	if (is_guarded) {
		text += strcspn(text, " \t");
		text += strspn(text, " \t");
	}
	line->is_barrier = begins(text, "bar.") || begins(text, "barrier.");
	line->is_end = !is_guarded && (begins(text, "bra") || begins(text, "ret") ||
				       begins(text, "exit") || begins(text, "trap"));
	if (!begins(text, "bra ") && !begins(text, "bra.") && !begins(text, "bra\t"))
		return 0;
	text += strcspn(text, " \t");
	text += strspn(text, " \t");
	line->target = label_number(flow, text, strcspn(text, " \t;"));
	return line->target ? 0 : -ENOMEM;
}

static int take_line(struct ct_ptx_flow *flow, const char *text)
{
	struct line *line;

	if (ct_array_grow(&flow->lines, flow->count, sizeof(*flow->lines)) < 0)
		return -ENOMEM;
	line = &flow->lines[flow->count++];
	*line = (struct line){.label = 0};
	if (strstr(text, ".entry ") || strstr(text, ".func ") || strstr(text, ".func\t")) {
		flow->function++;
		line->is_first = true;
	}
	text += strspn(text, " \t");
	if ((*text == '$' || *text == '_') && text[strcspn(text, ":")] == ':') {
		line->label = label_number(flow, text, strcspn(text, ":"));
		return line->label ? 0 : -ENOMEM;
	}
	if (!*text || strchr("./{}()$_", *text) || !strchr(text, ';'))
		return 0;
	return take_instruction(flow, line, text);
}

static int find_labels(struct ct_ptx_flow *flow)
{
	flow->line_of = calloc(flow->labels + 1, sizeof(*flow->line_of));
	flow->first = calloc(flow->labels + 3, sizeof(*flow->first));
	flow->branch = calloc(flow->count + 1, sizeof(*flow->branch));
	if (!flow->line_of || !flow->first || !flow->branch)
		return -ENOMEM;
	for (size_t i = 0; i < flow->count; i++) {
		if (flow->lines[i].label)
			flow->line_of[flow->lines[i].label] = (uint32_t)i + 1;
		if (flow->lines[i].target)
			flow->first[flow->lines[i].target + 2]++;
	}
	for (size_t l = 1; l < flow->labels + 3; l++)
		flow->first[l] += flow->first[l - 1];
	for (size_t i = 0; i < flow->count; i++) /* each moves its label's one on */
		if (flow->lines[i].target)
			flow->branch[flow->first[flow->lines[i].target + 1]++] = (uint32_t)i + 1;
	return 0;
}

int ct_flow_open(struct ct_ptx_flow **out, const char *text, size_t bytes)
{
	struct ct_ptx_flow *flow = calloc(1, sizeof(*flow));
	const char *end = text + bytes;
	int err = flow ? 0 : -ENOMEM;

	*out = NULL;
	for (; err == 0 && text < end; text += strlen(text) + 1)
		err = take_line(flow, text);
	if (err == 0)
		err = find_labels(flow);
	if (err < 0) {
		ct_flow_close(flow);
		return err;
	}
	*out = flow;
	return 0;
}

void ct_flow_close(struct ct_ptx_flow *flow)
{
	if (!flow)
		return;
	free(flow->lines);
	free(flow->line_of);
	free(flow->first);
	free(flow->branch);
	ct_intern_fini(&flow->names);
	free(flow);
}

size_t ct_flow_lines(const struct ct_ptx_flow *flow)
{
	return flow->count;
}

struct ct_flow_loop ct_flow_loop(const struct ct_ptx_flow *flow, uint32_t line)
{
	struct ct_flow_loop best = {0, UINT32_MAX};

	for (uint32_t last = line; last && last <= flow->count; last++) {
		uint32_t target = flow->lines[last - 1].target;
		uint32_t first = target ? flow->line_of[target] : 0;

		if (first && first <= line && last - first < best.last - best.first)
			best = (struct ct_flow_loop){first, last};
	}
	return best;
}

/* Lines that lead to those that are reached, until there are no more. */
struct search {
	const struct ct_ptx_flow *flow;
	bool *reached;
	uint32_t *todo;
	size_t count;
};

static void reach(struct search *search, uint32_t line)
{
	const struct line *of = &search->flow->lines[line - 1];

	if (search->reached[line - 1] || of->is_barrier)
		return;
	search->reached[line - 1] = true;
	search->todo[search->count++] = line;
}

static void reach_before(struct search *search, uint32_t line)
{
	const struct ct_ptx_flow *flow = search->flow;
	uint32_t label = flow->lines[line - 1].label;

	if (line > 1 && !flow->lines[line - 1].is_first && !flow->lines[line - 2].is_end)
		reach(search, line - 1);
	for (uint32_t i = flow->first[label]; label && i < flow->first[label + 1]; i++)
		reach(search, flow->branch[i]);
}

bool *ct_flow_before(const struct ct_ptx_flow *flow, uint32_t line)
{
	struct search search = {.flow = flow};

	if (!line || line > flow->count || !flow->lines[line - 1].is_barrier)
		return NULL;
	search.reached = calloc(flow->count, sizeof(*search.reached));
	search.todo = malloc(flow->count * sizeof(*search.todo));
	if (search.reached && search.todo) {
		reach_before(&search, line);
		for (size_t i = 0; i < search.count; i++)
			reach_before(&search, search.todo[i]);
	} else {
		free(search.reached);
		search.reached = NULL;
	}
	free(search.todo);
	return search.reached;
}
