/* SPDX-License-Identifier: Apache-2.0 */
/* The options that choose what is looked at: the same ones for every command that has them. */
#include "postproc/cmd/options/selection.h"
#include "base/error.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct ctpost_option ctpost_selection_options[] = {
    {.name = "kernels",
     .argument = "REGEX",
     .help = "only launches of these kernels: extended regular expression on name or symbol"},
    {.name = "launches",
     .argument = "N[-M]",
     .help = "only launches with these numbers, counted from 1; several: with commas"},
    {.name = "streams",
     .argument = "N[,M]",
     .help = "only launches in these streams (0: the default stream)"},
    {.name = "objects",
     .argument = "NAME[,NAME]",
     .help = "only what is accessed in these objects: variable, FILE:LINE of the allocation or its "
	     "caller, "
	     "or number"},
    {.name = "ctas",
     .argument = "N[-M]",
     .help = "only accesses of these blocks: linear numbers, or X:Y or X:Y:Z; several: with "
	     "commas"},
    {.name = "sites",
     .argument = "SITE[,SITE]",
     .help = "only accesses at these sites: number in the unit, or FILE:LINE"},
    {.name = "kernel", .argument = "REGEX", .stands_for = "kernels"},
    {.name = "launch", .argument = "N[-M]", .stands_for = "launches"},
    {.name = "stream", .argument = "N", .stands_for = "streams"},
    {.name = "object", .argument = "NAME", .stands_for = "objects"},
    {.name = "cta", .argument = "N", .stands_for = "ctas"},
    {.name = "site", .argument = "SITE", .stands_for = "sites"},
    {.name = NULL},
};

static int read_kernels(struct ct_selection *selection, const char *text)
{
	char why[256];

	return ct_selection_kernels(selection, text, why, sizeof(why));
}

/* An older spelling: coordinates with commas. */
static int read_cta(struct ct_selection *selection, const char *text)
{
	char *copy = strdup(text);
	int err;

	if (!copy)
		return -ENOMEM;
	for (char *c = strchr(copy, ','); c; c = strchr(c, ','))
		*c = ':';
	err = ct_selection_ctas(selection, copy);
	free(copy);
	return err;
}

static const struct reader {
	const char *name;
	int (*read)(struct ct_selection *selection, const char *text);
	const char *older; /* spelling, of one without a list */
	int (*read_older)(struct ct_selection *selection, const char *text);
	const char *expected;
} readers[] = {
    {"kernels", read_kernels, "kernel", read_kernels, "an extended regular expression"},
    {"launches", ct_selection_launches, "launch", ct_selection_launches,
     "N or N-M, counted from 1, or several with commas"},
    {"streams", ct_selection_streams, "stream", ct_selection_streams,
     "a number, or several with commas"},
    {"objects", ct_selection_objects, "object", ct_selection_object,
     "a variable, FILE:LINE of an allocation, or a number"},
    {"ctas", ct_selection_ctas, "cta", read_cta, "N, N-M, X:Y or X:Y:Z, or several with commas"},
    {"sites", ct_selection_sites, "site", ct_selection_site,
     "a number or FILE:LINE, or several with commas"},
};

int ctpost_read_selection(struct ctpost_call *call, struct ct_selection *selection)
{
	*selection = (struct ct_selection){.kernels = NULL};
	for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); i++) {
		const struct reader *reader = &readers[i];
		const char *text = ctpost_value(call, reader->name);
		bool is_older = !strcmp(ctpost_spelling(call, reader->name), reader->older);
		int err =
		    !text ? 0 : (is_older ? reader->read_older : reader->read)(selection, text);

		if (err == 0)
			continue;
		ct_selection_fini(selection);
		return err == -EINVAL ? ctpost_wrong(call, reader->name, reader->expected)
				      : ctpost_fail(call, CTPOST_FAILED, "%s", ct_strerror(err));
	}
	return CTPOST_OK;
}

int ctpost_open_filter(struct ctpost_call *call, const char *path, const struct ct_trace *trace,
		       const struct ct_selection *selection, struct ct_filter **out)
{
	int err = ct_filter_open(out, trace, selection);

	if (err < 0)
		return ctpost_fail(call, CTPOST_FAILED, "%s: %s", path, ct_strerror(err));
	if (ct_filter_check(*out, trace, call->why, sizeof(call->why)) == 0)
		return CTPOST_OK;
	ct_filter_close(*out);
	*out = NULL;
	return CTPOST_FAILED;
}
