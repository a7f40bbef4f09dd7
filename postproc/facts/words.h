/* SPDX-License-Identifier: Apache-2.0 */
/* Sites, launches and objects in the words that all outputs use. */
#ifndef CT_POSTPROC_FACTS_WORDS_H
#define CT_POSTPROC_FACTS_WORDS_H

#include "postproc/facts/place.h"
#include "trace/read/reader.h"
#include <stddef.h>

/* A site's place (place.h) as "bfs.cu:33:9"; "unknown location" without a file. This and
 * the other functions that take a buffer return it. */
const char *ct_words_location(const struct ct_unit *unit, const struct ct_unit_site *site,
			      char *buffer, size_t bytes);

/* Element type: "f32", "i32x4", "ptr64"; "bytes" when unknown. */
const char *ct_words_type(const struct ct_unit_site *site, char *buffer, size_t bytes);

/* "global" of a site in another space, or in none, is "definite". */
const char *ct_words_verdict(const struct ct_unit_site *site);
const char *ct_words_space(uint32_t space);
const char *ct_words_object_kind(uint32_t kind);
/* Says what of a launch is in the trace: "full", "counts", ... */
const char *ct_words_tier(uint32_t tier);

/* Names bit 1 << `bit` of enum ct_unit_kinds and enum ct_unit_events. */
const char *ct_words_kind(uint32_t bit);
const char *ct_words_event(uint32_t bit);

/* "128", "128,4", "128,4,2": trailing ones left out. */
const char *ct_words_extent(const uint32_t extent[3], char *buffer, size_t bytes);

/* "bfs.cu:33" of a launch or allocation site descriptor, "" without one. */
const char *ct_words_descriptor(const char *descriptor, char *buffer, size_t bytes);

/* Name of an object: its variable, or "object 3". */
const char *ct_words_object(const struct ct_object_info *object, char *buffer, size_t bytes);

/* x, y, z of a linear CTA id. */
void ct_words_cta(const struct ct_launch_info *launch, uint64_t linear, uint32_t cta[3]);

#endif
