/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses what to do about each entry: the row of remedies.def that fits it. */
#include "postproc/analysis/ffm/remedy/remedy.h"
#include "postproc/analysis/calls/waits.h"
#include "trace/codec/site.h"
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define SITES 4u /* that a sentence names */

enum family { ANY, FREE, FREE_HOST, COPY, ASYNC_COPY, SET, SYNCHRONIZE, UNLOAD };

static const struct {
	enum ct_ffm_kind kind;
	enum family family;
	ct_ffm_remedy_writer *write;
} remedies[] = {
#define CT_FFM_REMEDY(KIND, FAMILY, writer) {CT_FFM_##KIND, FAMILY, ct_ffm_write_##writer},
#include "postproc/analysis/ffm/remedy/remedies.def"
};

static enum family family_of(const char *call)
{
	bool is_async = strstr(call, "Async") != NULL;

	if (strstr(call, "Synchronize"))
		return SYNCHRONIZE;
	if (strstr(call, "Memcpy"))
		return is_async ? ASYNC_COPY : COPY;
	if (strstr(call, "Memset"))
		return SET;
	if (strstr(call, "Unload"))
		return UNLOAD;
	if (strstr(call, "FreeHost") || strstr(call, "HostUnregister"))
		return FREE_HOST;
	return strstr(call, "Free") && !is_async ? FREE : ANY;
}

bool ct_ffm_is_driver(const char *call)
{
	return strncmp(call, "cu", 2) == 0 && isupper((unsigned char)call[2]);
}

const char *ct_ffm_remedy_place(const struct ct_ffm_study *study, uint32_t stack,
				char buffer[CT_FFM_TEXT_BYTES])
{
	const struct ct_code_frame *frame =
	    stack && study->symbols ? ct_ffm_study_frame(study, stack) : NULL;
	const char *slash = frame ? strrchr(frame->file, '/') : NULL;

	if (!frame)
		snprintf(buffer, CT_FFM_TEXT_BYTES, "a place that is not known");
	else if (*frame->file)
		snprintf(buffer, CT_FFM_TEXT_BYTES, "%s:%u", slash ? slash + 1 : frame->file,
			 frame->line);
	else
		snprintf(buffer, CT_FFM_TEXT_BYTES, "%s", frame->function);
	return buffer;
}

const struct ct_ffm_site *ct_ffm_related_site(const struct ct_ffm_entry *entry,
					      enum ct_ffm_site_role role)
{
	for (size_t i = 0; i < entry->relations; i++)
		if (entry->related[i].role == role)
			return &entry->related[i].site;
	return NULL;
}

/* Several calls of one line, as of two vectors, are one place to change. */
static bool is_reported(const struct ct_ffm_study *study, const struct ct_ffm_entry *entry,
			size_t number)
{
	const struct ct_ffm_site *site = &entry->related[number].site;
	char place[CT_FFM_TEXT_BYTES], other[CT_FFM_TEXT_BYTES];

	ct_ffm_remedy_place(study, site->stack, place);
	for (size_t i = 0; i < number; i++)
		if (entry->related[i].role == entry->related[number].role &&
		    !strcmp(entry->related[i].site.call, site->call) &&
		    !strcmp(ct_ffm_remedy_place(study, entry->related[i].site.stack, other), place))
			return true;
	return false;
}

size_t ct_ffm_write_sites(FILE *out, const struct ct_ffm_study *study,
			  const struct ct_ffm_entry *entry, enum ct_ffm_site_role role)
{
	char place[CT_FFM_TEXT_BYTES];
	size_t count = 0;

	for (size_t i = 0; i < entry->relations; i++) {
		const struct ct_ffm_site *site = &entry->related[i].site;

		if (entry->related[i].role != role || is_reported(study, entry, i))
			continue;
		if (count++ < SITES)
			fprintf(out, "%s%s%s%s", count > 1 ? ", " : "", site->call,
				*site->call ? " at " : "",
				ct_ffm_remedy_place(study, site->stack, place));
	}
	if (count > SITES)
		fprintf(out, " and %zu more", count - SITES);
	return count;
}

void ct_ffm_condition(struct ct_ffm_remedying *remedying, const char *format, ...)
{
	va_list arguments;

	if (ftell(remedying->condition) > 0)
		fputc(' ', remedying->condition);
	va_start(arguments, format);
	vfprintf(remedying->condition, format, arguments);
	va_end(arguments);
}

/* Reads the allocation's descriptor. */
static void name_memory(struct ct_ffm_remedying *remedying)
{
	const char *site = remedying->entry->facts.site;

	if (site)
		ct_site_field(site, 5, remedying->variable, sizeof(remedying->variable));
	if (site)
		ct_site_field(site, 6, remedying->size, sizeof(remedying->size));
	if (!*remedying->variable)
		strcpy(remedying->variable, "memory");
	if (!*remedying->size && remedying->entry->facts.least_bytes &&
	    remedying->entry->facts.least_bytes == remedying->entry->facts.most_bytes)
		snprintf(remedying->size, sizeof(remedying->size), "%llu",
			 (unsigned long long)remedying->entry->facts.most_bytes);
	if (!*remedying->size)
		strcpy(remedying->size, "bytes");
}

/* An empty text is none. */
static int close_text(FILE *file, char **text)
{
	bool fails = ferror(file) != 0;

	if (fclose(file) != 0 || fails)
		return -ENOMEM;
	if (**text)
		return 0;
	free(*text);
	*text = NULL;
	return 0;
}

static int write_remedy(const struct ct_ffm_study *study, struct ct_ffm_entry *entry,
			ct_ffm_remedy_writer *write)
{
	struct ct_ffm_remedying remedying = {.study = study, .entry = entry};
	size_t bytes;
	int err = 0, more;

	free(entry->remedy.fix);
	free(entry->remedy.condition);
	free(entry->remedy.skeleton);
	entry->remedy = (struct ct_ffm_remedy){NULL, NULL, NULL};
	remedying.fix = open_memstream(&entry->remedy.fix, &bytes);
	remedying.condition = open_memstream(&entry->remedy.condition, &bytes);
	remedying.skeleton = open_memstream(&entry->remedy.skeleton, &bytes);
	if (remedying.fix && remedying.condition && remedying.skeleton) {
		name_memory(&remedying);
		write(&remedying);
	} else {
		err = -ENOMEM;
	}
	more = remedying.fix ? close_text(remedying.fix, &entry->remedy.fix) : 0;
	err = err == 0 ? more : err;
	more = remedying.condition ? close_text(remedying.condition, &entry->remedy.condition) : 0;
	err = err == 0 ? more : err;
	more = remedying.skeleton ? close_text(remedying.skeleton, &entry->remedy.skeleton) : 0;
	return err == 0 ? more : err;
}

int ct_ffm_remedies(struct ct_ffm_study *study)
{
	int err = 0;

	for (size_t i = 0; i < study->entries && err == 0; i++) {
		struct ct_ffm_entry *entry = &study->entry[i];
		enum family family = family_of(entry->site.call);

		for (size_t r = 0; r < sizeof(remedies) / sizeof(*remedies); r++) {
			if (remedies[r].kind != entry->kind ||
			    (remedies[r].family != ANY && remedies[r].family != family))
				continue;
			err = write_remedy(study, entry, remedies[r].write);
			break;
		}
	}
	return err;
}
