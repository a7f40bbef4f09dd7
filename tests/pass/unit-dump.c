/* SPDX-License-Identifier: Apache-2.0 */
/* Print unit blobs (unit.h) as text, one fact per line, for FileCheck. */
#include <cudatrace/unit.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const OPERATIONS[256] = {
#define CT_OPERATION(id, name, text, group, memtrace) [id] = text,
#include <cudatrace/operations.def>
#undef CT_OPERATION
};
static const char *const VERDICTS[] = {"?", "global", "checked", "skipped"};
static const char *const SCALARS[] = {"?", "integer", "float", "pointer"};

struct unit {
	const struct ct_unit_header *header;
	const struct ct_unit_kernel *kernels;
	const struct ct_unit_param *params;
	const struct ct_unit_site *sites;
	const struct ct_unit_frame *frames;
	const char *strings;
};

/* The caller frees. */
static char *read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	char *content = NULL;
	long end;

	if (!file)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) > 0) {
		rewind(file);
		content = malloc(end);
		*bytes = content ? fread(content, 1, end, file) : 0;
	}
	fclose(file);
	return content;
}

static bool parse(struct unit *unit, const char *blob, size_t bytes)
{
	const struct ct_unit_header *h = (const void *)blob;

	if (bytes < sizeof(*h) || h->magic != CT_UNIT_MAGIC || h->version != CT_UNIT_VERSION)
		return false;
	unit->header = h;
	unit->kernels = (const void *)(blob + h->header_bytes);
	unit->params = (const void *)(unit->kernels + h->kernel_count);
	unit->sites = (const void *)(unit->params + h->param_count);
	unit->frames = (const void *)(unit->sites + h->site_count);
	unit->strings = (const char *)(unit->frames + h->frame_count);
	return unit->strings + h->string_bytes == blob + bytes && h->string_bytes > 0 &&
	       blob[bytes - 1] == '\0';
}

static void print_kernel(const struct unit *unit, const struct ct_unit_kernel *k)
{
	const char *s = unit->strings;

	printf("kernel %s \"%s\" at %s:%u:%u (", s + k->name, s + k->display, s + k->file, k->line,
	       k->column);
	for (uint32_t i = 0; i < k->param_count; i++) {
		const struct ct_unit_param *p = &unit->params[k->param_first + i];

		printf("%s%s %s", i ? ", " : "", s + p->type, s + p->name);
	}
	printf(")%s%s\n", k->reason ? " no clone: " : "", s + k->reason);
}

static void print_site(const struct unit *unit, uint32_t index)
{
	const struct ct_unit_site *site = &unit->sites[index];
	const char *s = unit->strings;

	printf("site %u %s %s %u bytes %s%u x %u at %s:%u:%u in %s depth %u", index,
	       VERDICTS[site->verdict & 3], OPERATIONS[site->operation], site->bytes,
	       SCALARS[site->scalar & 3], site->scalar_bits, site->vector_length, s + site->file,
	       site->line, site->column, s + site->function, site->loop_depth);
	if (site->kernel != CT_NONE)
		printf(" kernel %u", site->kernel);
	if (site->flags & CT_SITE_VOLATILE)
		printf(" volatile");
	if (site->variable)
		printf(" variable %s", s + site->variable);
	if (site->reason)
		printf(" reason: %s", s + site->reason);
	for (uint32_t f = site->inlined_at; f != CT_NONE; f = unit->frames[f].inlined_at)
		printf(" <- %s at %s:%u:%u", s + unit->frames[f].function, s + unit->frames[f].file,
		       unit->frames[f].line, unit->frames[f].column);
	printf("\n");
}

static int dump(const char *path)
{
	struct unit unit;
	size_t bytes = 0;
	char *blob = read_file(path, &bytes);

	if (!blob || !parse(&unit, blob, bytes)) {
		fprintf(stderr, "unit-dump: %s: not a unit blob\n", path);
		free(blob);
		return 1;
	}
	printf("unit %016llx sm_%u %s\n", (unsigned long long)unit.header->unit_id,
	       unit.header->arch, unit.strings + unit.header->source);
	for (uint32_t i = 0; i < unit.header->kernel_count; i++)
		print_kernel(&unit, &unit.kernels[i]);
	for (uint32_t i = 0; i < unit.header->site_count; i++)
		print_site(&unit, i);
	free(blob);
	return 0;
}

int main(int argc, char **argv)
{
	int status = argc < 2;

	for (int i = 1; i < argc; i++)
		status |= dump(argv[i]);
	return status;
}
