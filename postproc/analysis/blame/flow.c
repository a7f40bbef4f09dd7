/* SPDX-License-Identifier: Apache-2.0 */
/* Versions and what flows between them. */
#include "postproc/analysis/blame/flow.h"

#include "base/array.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* The link of a list: 0 ends it. */
struct link {
	uint32_t next, to;
	bool is_class;
};

struct ct_blame_flow {
	uint32_t *first; /* by version, in links */
	size_t versions, version_room;
	double *weight; /* by class */
	size_t classes, class_room;
	struct link *link; /* from 1 */
	size_t links, link_room;
	uint32_t *seen_version, *seen_class; /* by the last look that met them */
	size_t seen_versions, seen_classes;
	uint32_t look;
};

int ct_blame_flow_open(struct ct_blame_flow **out)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return -ENOMEM;
	(*out)->links = 1;
	return 0;
}

void ct_blame_flow_close(struct ct_blame_flow *flow)
{
	if (!flow)
		return;
	free(flow->first);
	free(flow->weight);
	free(flow->link);
	free(flow->seen_version);
	free(flow->seen_class);
	free(flow);
}

uint32_t ct_blame_flow_version(struct ct_blame_flow *flow)
{
	if (flow->versions >= CT_BLAME_NO_VERSION - 1u ||
	    ct_array_reserve(&flow->first, &flow->version_room, flow->versions + 1,
			     sizeof(*flow->first)) < 0)
		return CT_BLAME_NO_VERSION;
	flow->first[flow->versions] = 0;
	return (uint32_t)flow->versions++;
}

uint32_t ct_blame_flow_class(struct ct_blame_flow *flow)
{
	if (flow->classes >= CT_BLAME_NO_VERSION - 1u ||
	    ct_array_reserve(&flow->weight, &flow->class_room, flow->classes + 1,
			     sizeof(*flow->weight)) < 0)
		return CT_BLAME_NO_VERSION;
	flow->weight[flow->classes] = 0;
	return (uint32_t)flow->classes++;
}

void ct_blame_flow_weigh(struct ct_blame_flow *flow, uint32_t class, double weight)
{
	flow->weight[class] += weight;
}

static int add_link(struct ct_blame_flow *flow, uint32_t version, struct link link)
{
	link.next = flow->first[version];
	for (uint32_t at = link.next; at; at = flow->link[at].next)
		if (flow->link[at].to == link.to && flow->link[at].is_class == link.is_class)
			return 0;
	if (ct_array_reserve(&flow->link, &flow->link_room, flow->links + 1, sizeof(*flow->link)) <
	    0)
		return -ENOMEM;
	flow->link[flow->links] = link;
	flow->first[version] = (uint32_t)flow->links++;
	return 0;
}

int ct_blame_flow_from_version(struct ct_blame_flow *flow, uint32_t version, uint32_t from)
{
	return from == version ? 0 : add_link(flow, version, (struct link){0, from, false});
}

int ct_blame_flow_from_class(struct ct_blame_flow *flow, uint32_t version, uint32_t class)
{
	return add_link(flow, version, (struct link){0, class, true});
}

/* Room for all that there are by now. */
static int make_seen(struct ct_blame_flow *flow)
{
	uint32_t *versions = realloc(flow->seen_version, (flow->versions + 1) * sizeof(uint32_t));
	uint32_t *classes;

	if (!versions)
		return -ENOMEM;
	flow->seen_version = versions;
	classes = realloc(flow->seen_class, (flow->classes + 1) * sizeof(uint32_t));
	if (!classes)
		return -ENOMEM;
	flow->seen_class = classes;
	while (flow->seen_versions < flow->versions)
		versions[flow->seen_versions++] = 0;
	while (flow->seen_classes < flow->classes)
		classes[flow->seen_classes++] = 0;
	flow->look++;
	return 0;
}

double ct_blame_flow_weight(struct ct_blame_flow *flow, const uint32_t *version, size_t count)
{
	uint32_t *left = malloc((flow->versions + 1) * sizeof(*left));
	size_t depth = 0;
	double sum = 0;

	if (!left || make_seen(flow) < 0) {
		free(left);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++)
		if (flow->seen_version[version[i]] != flow->look) {
			flow->seen_version[version[i]] = flow->look;
			left[depth++] = version[i];
		}
	while (depth) {
		for (uint32_t at = flow->first[left[--depth]]; at; at = flow->link[at].next) {
			const struct link *link = &flow->link[at];
			uint32_t *seen = link->is_class ? &flow->seen_class[link->to]
							: &flow->seen_version[link->to];

			if (*seen == flow->look)
				continue;
			*seen = flow->look;
			if (link->is_class)
				sum += flow->weight[link->to];
			else
				left[depth++] = link->to;
		}
	}
	free(left);
	return sum;
}
