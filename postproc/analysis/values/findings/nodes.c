/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of the flow in words. */
#include "postproc/analysis/values/findings/findings.h"
#include "postproc/facts/folded_name.h"
#include "postproc/symbols/path_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 96u /* of a kernel: longer ones are folded */

const char *ct_values_way_text(enum ct_values_way way)
{
	static const char *const text[] = {
	    [CT_VALUES_LAUNCH] = "launch",     [CT_VALUES_SET] = "memset",
	    [CT_VALUES_COPY] = "copy",         [CT_VALUES_COPY_IN] = "copy in",
	    [CT_VALUES_COPY_OUT] = "copy out",
	};

	return text[way];
}

bool ct_values_is_place(const struct ct_values_node *node, const struct ct_values_node *other)
{
	return node->launch && other->launch && node->kernel == other->kernel &&
	       !strcmp(node->launch->site, other->launch->site);
}

/* Whether the kernel is launched from this line by way of several callers. */
static bool has_callers(const struct ct_values_figures *figures, uint32_t number)
{
	for (size_t i = 0; i < figures->nodes; i++)
		if (i != number && ct_values_is_place(&figures->node[number], &figures->node[i]))
			return true;
	return false;
}

static void add_path(char text[CT_VALUES_NODE_BYTES], const struct ct_values_figures *figures,
		     uint32_t number)
{
	const struct ct_values_node *node = &figures->node[number];
	size_t length = strlen(text);
	char *path;

	if (!node->path || !has_callers(figures, number))
		return;
	path = ct_host_path_text(figures->paths, node->path);
	snprintf(text + length, CT_VALUES_NODE_BYTES - length, ", called from %s",
		 path ? path : "?");
	free(path);
}

const char *ct_values_node_text(const struct ct_values_figures *figures, uint32_t number,
				char text[CT_VALUES_NODE_BYTES])
{
	const struct ct_values_node *node;
	char file[64], line[24], brief[CT_BRIEF_NAME_BYTES];
	const char *slash, *kernel;

	if (number == CT_NODE_ALLOC)
		return "the allocation";
	node = &figures->node[number];
	if (!node->launch) {
		snprintf(text, CT_VALUES_NODE_BYTES, "%s (%.64s)", ct_values_way_text(node->way),
			 node->transfer->call);
		return text;
	}
	ct_site_field(node->launch->site, 1, file, sizeof(file));
	ct_site_field(node->launch->site, 2, line, sizeof(line));
	slash = strrchr(file, '/');
	kernel = figures->kernel[node->kernel].name;
	if (strlen(kernel) > NAME_BYTES)
		kernel = ct_short_name(kernel, brief);
	snprintf(text, CT_VALUES_NODE_BYTES, *file ? "%.96s (%s:%s)" : "%.96s", kernel,
		 slash ? slash + 1 : file, line);
	add_path(text, figures, number);
	return text;
}
