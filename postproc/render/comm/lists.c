/* SPDX-License-Identifier: Apache-2.0 */
/* The map of transfers and the history of addresses for a terminal, a line each. */
#include "postproc/render/comm/tables.h"
#include "postproc/render/comm/words.h"
#include <errno.h>

#define TEXT_BYTES 512

struct list {
	FILE *out;
	const struct ct_comm_output *output;
	uint64_t lines;
};

static int write_transfer(void *user, const struct ct_comm_transfer *transfer)
{
	const struct list *list = user;
	char source[TEXT_BYTES], target[TEXT_BYTES];

	ct_comm_superstep_text(list->output->figures, transfer->source_superstep, source,
			       sizeof(source));
	ct_comm_superstep_text(list->output->figures, transfer->target_superstep, target,
			       sizeof(target));
	fprintf(list->out, "%s CTA %u -> %s CTA %u: %llu B, %llu loads\n", source,
		transfer->source_cta, target, transfer->target_cta,
		(unsigned long long)transfer->bytes, (unsigned long long)transfer->loads);
	return ferror(list->out) ? -EIO : 0;
}

int ct_comm_write_transfers(FILE *out, const struct ct_comm_output *output)
{
	struct list list = {.out = out, .output = output};

	return output->each_transfer(output->user, write_transfer, &list);
}

static void write_origin(const struct list *list, const struct ct_history_entry *operation)
{
	char text[TEXT_BYTES];

	switch (operation->origin) {
	case CT_ORIGIN_NONE:
		fputs(", from no writer in the trace", list->out);
		return;
	case CT_ORIGIN_OWN:
		fputs(", its own", list->out);
		return;
	default:
		break;
	}
	ct_comm_superstep_text(list->output->figures, operation->source_superstep, text,
			       sizeof(text));
	fprintf(list->out, ", from %s", text);
	if (list->output->figures->superstep[operation->source_superstep].launch)
		fprintf(list->out, " CTA %u", operation->source_cta);
	if (operation->sources > 1)
		fprintf(list->out, " and %u others", operation->sources - 1);
	if (operation->origin == CT_ORIGIN_UNORDERED)
		fputs(", which is not ordered before it", list->out);
	if (operation->origin == CT_ORIGIN_MIXED)
		fputs(", other bytes from elsewhere", list->out);
}

static const char *verb(const struct ct_history_entry *operation)
{
	if (!operation->unit)
		return operation->reads ? "read" : "write";
	if (operation->reads && operation->writes)
		return "atomic";
	return operation->reads ? "load" : "store";
}

static int write_operation(void *user, const struct ct_history_entry *operation)
{
	struct list *list = user;
	char text[TEXT_BYTES];

	ct_comm_superstep_text(list->output->figures, operation->superstep, text, sizeof(text));
	fputs(text, list->out);
	if (operation->unit)
		fprintf(list->out, " CTA %llu warp %u lane %u SM %u",
			(unsigned long long)operation->cta, operation->warp, operation->lane,
			operation->sm);
	fprintf(list->out, ": %s 0x%llx %llu B", verb(operation),
		(unsigned long long)operation->address, (unsigned long long)operation->bytes);
	if (operation->unit)
		fprintf(list->out, " at %s",
			ct_comm_site_text(operation->unit, operation->site, text, sizeof(text)));
	if (operation->reads)
		write_origin(list, operation);
	fputc('\n', list->out);
	list->lines++;
	return ferror(list->out) ? -EIO : 0;
}

int ct_comm_write_history(FILE *out, const struct ct_comm_output *output)
{
	struct list list = {.out = out, .output = output};
	int err = output->each_operation(output->user, write_operation, &list);

	if (err == 0 && !list.lines)
		fputs("nothing in the trace accesses these addresses\n", out);
	return err;
}
