/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns of rows in words. */
#include "postproc/analysis/access/words.h"
#include "postproc/facts/place.h"

#include <stdio.h>
#include <string.h>

enum ct_access_pattern ct_access_pattern_of(const struct ct_access_figures *figures)
{
	enum ct_access_pattern most = CT_ACCESS_RANGE;

	for (unsigned p = 0; p < CT_ACCESS_PATTERNS; p++)
		if (figures->pattern[p] > figures->pattern[most])
			most = (enum ct_access_pattern)p;
	return most;
}

const char *ct_access_pattern_key(enum ct_access_pattern pattern)
{
	static const char *const key[CT_ACCESS_PATTERNS] = {
	    [CT_ACCESS_RANGE] = "ranges",
	    [CT_ACCESS_SINGLE] = "single_lane",
	    [CT_ACCESS_BROADCAST] = "broadcast",
	    [CT_ACCESS_UNIT] = "unit_stride",
	    [CT_ACCESS_MISALIGNED] = "misaligned",
	    [CT_ACCESS_STRIDED] = "strided",
	    [CT_ACCESS_ROWS] = "rows",
	    [CT_ACCESS_GATHER] = "gather",
	};

	return key[pattern];
}

/* The stride of a row whose requests mostly have one, and access one member; else 0. */
static int64_t member_stride(const struct ct_access_row *row)
{
	const struct ct_access_figures *f = &row->figures;
	bool is_one = f->stride.least == f->stride.most && f->member.least == f->member.most &&
		      f->members == f->pattern[CT_ACCESS_STRIDED];

	return is_one && ct_access_pattern_of(f) == CT_ACCESS_STRIDED ? f->stride.least : 0;
}

uint64_t ct_access_structure(const struct ct_access_results *results,
			     const struct ct_access_row *row)
{
	int64_t stride = member_stride(row);
	bool is_found = false;

	for (size_t i = 0; stride && i < results->rows && !is_found; i++) {
		const struct ct_access_row *other = &results->row[i];

		is_found = other->kernel == row->kernel && other->group == row->group &&
			   member_stride(other) == stride &&
			   other->figures.member.least != row->figures.member.least;
	}
	return is_found ? (uint64_t)(stride < 0 ? -stride : stride) : 0;
}

/* " 4", " 4 to 28" */
static void put_span(char *text, size_t bytes, const struct ct_access_span *span, int64_t unit)
{
	if (span->least == span->most)
		snprintf(text, bytes, "%lld", (long long)(span->least / unit));
	else
		snprintf(text, bytes, "%lld to %lld", (long long)(span->least / unit),
			 (long long)(span->most / unit));
}

static void put_stride(char *text, size_t bytes, const struct ct_access_results *results,
		       const struct ct_access_row *row)
{
	const struct ct_access_span *span = &row->figures.stride;
	int64_t element = (int64_t)row->unit->sites[row->site].bytes;
	uint64_t structure = ct_access_structure(results, row);
	bool is_whole = element && span->least % element == 0 && span->most % element == 0;
	char figure[48];

	put_span(figure, sizeof(figure), span, is_whole ? element : 1);
	if (structure)
		snprintf(text, bytes, "structures of %llu B", (unsigned long long)structure);
	else
		snprintf(text, bytes, "stride%s %s%s", span->least == span->most ? "" : "s", figure,
			 is_whole ? "" : " B");
}

static void put_pattern(char *text, size_t bytes, const struct ct_access_results *results,
			const struct ct_access_row *row, enum ct_access_pattern pattern)
{
	const struct ct_access_figures *f = &row->figures;
	char figure[48];

	switch (pattern) {
	case CT_ACCESS_MISALIGNED:
		put_span(figure, sizeof(figure), &f->misaligned, 1);
		snprintf(text, bytes, "misaligned by %s B", figure);
		break;
	case CT_ACCESS_STRIDED:
		put_stride(text, bytes, results, row);
		break;
	case CT_ACCESS_ROWS:
		put_span(figure, sizeof(figure), &f->row, 1);
		snprintf(text, bytes, "rows of %s lanes", figure);
		break;
	case CT_ACCESS_GATHER:
		snprintf(text, bytes, "gather");
		if (f->sectors)
			snprintf(text, bytes, "gather, %.1f sectors each",
				 (double)f->sectors / (double)f->requests);
		break;
	default:
		snprintf(text, bytes, "%s",
			 pattern == CT_ACCESS_RANGE       ? "ranges"
			 : pattern == CT_ACCESS_SINGLE    ? "one lane"
			 : pattern == CT_ACCESS_BROADCAST ? "broadcast"
							  : "unit stride");
	}
}

const char *ct_access_words(const struct ct_access_results *results,
			    const struct ct_access_row *row, char text[CT_ACCESS_WORDS_BYTES])
{
	const struct ct_access_figures *f = &row->figures;
	enum ct_access_pattern pattern = ct_access_pattern_of(f);
	size_t used;

	put_pattern(text, CT_ACCESS_WORDS_BYTES, results, row, pattern);
	used = strlen(text);
	if (f->pattern[pattern] < f->requests)
		snprintf(text + used, CT_ACCESS_WORDS_BYTES - used, " (%.0f %%)",
			 100.0 * (double)f->pattern[pattern] / (double)f->requests);
	return text;
}

const char *ct_access_group_text(const struct ct_access_results *results, uint32_t group)
{
	static const char *const beside[CT_ACCESS_BESIDES] = {
	    [CT_ACCESS_SEVERAL] = "several objects",
	    [CT_ACCESS_SHARED] = "shared memory",
	    [CT_ACCESS_CONSTANT] = "constant memory",
	    [CT_ACCESS_LOCAL] = "local memory",
	};
	const struct ct_object_info *object;

	if (group >= results->groups)
		return beside[group - results->groups];
	object = results->object[group];
	if (!object)
		return "memory of no known object";
	return object->name[0] ? object->name : "an object without a name";
}

double ct_access_conflict_degree(const struct ct_access_figures *figures)
{
	return figures->banked ? (double)figures->ways / (double)figures->banked : 0;
}

double ct_access_efficiency(const struct ct_access_figures *figures)
{
	return figures->sectors ? (double)figures->ideal / (double)figures->sectors : 1;
}

const char *ct_access_place_text(const struct ct_access_row *row, char *text, size_t bytes)
{
	struct ct_place place = ct_place_of(row->unit, &row->unit->sites[row->site]);
	const char *slash = strrchr(place.file, '/');

	if (*place.file)
		snprintf(text, bytes, "%s:%u", slash ? slash + 1 : place.file, place.line);
	else
		snprintf(text, bytes, "An unknown line");
	return text;
}

const char *ct_access_verb(const struct ct_access_row *row)
{
	return row->class == CT_CLASS_LOAD    ? "reads"
	       : row->class == CT_CLASS_STORE ? "writes"
					      : "updates";
}
