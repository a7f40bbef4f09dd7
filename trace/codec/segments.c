/* SPDX-License-Identifier: Apache-2.0 */
/* Where the segments of a stream of records begin, by owner. */
#include "trace/codec/segments.h"
#include "trace/codec/decode_record.h"

#include <cudatrace/error.h>
#include <errno.h>

#define NONE UINT32_MAX

/* Locates the segment's header and what follows, in words of the stream. */
struct segment {
	uint32_t at, words;
	uint32_t head; /* index of what a short header refers to */
	uint32_t next; /* of the same owner, or NONE */
};

/* A segment with a short header takes this from those before it. */
struct head {
	uint32_t launch, sm;
	uint32_t first, count; /* of definitions: of the groups in force, one each */
};

struct list {
	uint32_t first, last;
};

struct search {
	struct ct_segments *out;
	struct ct_record_stream stream;
	uint32_t owners;
	uint32_t (*owner_of)(void *user, const struct ct_segment *segment);
	void *user;
	struct head head;
	bool is_noted; /* head, as the last one of out->heads */
	int err;
};

#define AT(type, buffer, i) (&((type *)(void *)(buffer)->bytes)[i])
#define COUNT(type, buffer) ((uint32_t)((buffer)->size / sizeof(type)))

void ct_segments_fini(struct ct_segments *segments)
{
	ct_buffer_fini(&segments->segments);
	ct_buffer_fini(&segments->heads);
	ct_buffer_fini(&segments->definitions);
	ct_buffer_fini(&segments->owners);
}

static int clear(struct ct_segments *segments, uint32_t owners)
{
	const struct list empty = {NONE, NONE};

	segments->segments.size = segments->heads.size = 0;
	segments->definitions.size = segments->owners.size = 0;
	for (uint32_t i = 0; i < owners; i++)
		if (!ct_buffer_append(&segments->owners, &empty, sizeof(empty)))
			return -ENOMEM;
	return 0;
}

/* The groups in force, where a segment begins that may go by them. */
static int note_head(struct search *search)
{
	struct ct_segments *out = search->out;
	struct head *head = &search->head;

	if (search->is_noted && !search->stream.has_new_group)
		return 0;
	head->launch = search->stream.segment.launch;
	head->sm = search->stream.segment.sm;
	head->first = COUNT(uint32_t, &out->definitions);
	head->count = search->stream.group_count;
	for (uint32_t i = 0; i < head->count; i++)
		if (!ct_buffer_append(&out->definitions, &search->stream.group[i].at,
				      sizeof(uint32_t)))
			return -ENOMEM;
	if (!ct_buffer_append(&out->heads, head, sizeof(*head)))
		return -ENOMEM;
	search->is_noted = true;
	search->stream.has_new_group = false;
	return 0;
}

/* Words of the segment before, as far as the stream is valid. */
static void end_last(struct search *search, uint32_t at)
{
	uint32_t count = COUNT(struct segment, &search->out->segments);
	struct segment *last = count ? AT(struct segment, &search->out->segments, count - 1) : NULL;

	if (last && !last->words)
		last->words = at - last->at;
}

static int note_segment(struct search *search, uint32_t at, uint32_t owner)
{
	struct ct_segments *out = search->out;
	uint32_t number = COUNT(struct segment, &out->segments);
	struct segment segment = {
	    .at = at, .head = COUNT(struct head, &out->heads) - 1, .next = NONE};
	struct list *list = AT(struct list, &out->owners, owner);

	if (!ct_buffer_append(&out->segments, &segment, sizeof(segment)))
		return -ENOMEM;
	if (list->first == NONE)
		list->first = number;
	else
		AT(struct segment, &out->segments, list->last)->next = number;
	list->last = number;
	return 0;
}

/* Is never wanted: its records are only stepped over. */
static int on_segment(void *user, const struct ct_segment *segment)
{
	struct search *search = user;
	uint32_t at = (uint32_t)(segment->position / 8), owner;

	end_last(search, at);
	if (!segment->is_short)
		search->is_noted = false;
	owner = search->owner_of(search->user, segment);
	if (owner == CT_SEGMENT_OF_NONE)
		return 0;
	search->err = note_head(search);
	if (search->err == 0)
		search->err = note_segment(search, at, owner);
	return search->err;
}

int ct_segments_find(struct ct_segments *segments, const void *records, size_t bytes,
		     uint32_t owners,
		     uint32_t (*owner_of)(void *user, const struct ct_segment *segment), void *user,
		     size_t *position)
{
	struct search search = {
	    .out = segments,
	    .owners = owners,
	    .owner_of = owner_of,
	    .user = user,
	    .err = clear(segments, owners),
	};
	const struct ct_decoder decoder = {.segment = on_segment, .user = &search};
	size_t end;
	int err;

	if (search.err < 0)
		return search.err;
	ct_record_stream_begin(&search.stream, &decoder, records, bytes);
	err = ct_record_stream_decode(&search.stream, &end);
	if (err == 0 && bytes % 8)
		err = -CT_ERECORD;
	end_last(&search, (uint32_t)(end / 8));
	if (position)
		*position = end;
	return search.err < 0 ? search.err : err;
}

/* The state that the segment's header and records go by. */
static void resume(struct ct_record_stream *stream, const struct ct_segments *segments,
		   const struct segment *segment, const unsigned char *records)
{
	const struct head *head = AT(const struct head, &segments->heads, segment->head);

	ct_record_stream_begin(stream, stream->decoder, records,
			       8 * (size_t)(segment->at + segment->words));
	ct_record_stream_advance(stream, segment->at);
	stream->has_segment = true;
	stream->segment.launch = head->launch;
	stream->segment.sm = head->sm;
	for (uint32_t i = 0; i < head->count; i++)
		ct_record_stream_learn(
		    stream, *AT(const uint32_t, &segments->definitions, head->first + i));
}

int ct_segments_decode(const struct ct_segments *segments, const struct ct_decoder *decoder,
		       const void *records, uint32_t owner)
{
	const struct list *list = AT(const struct list, &segments->owners, owner);
	struct ct_record_stream stream;
	size_t end;
	int err = 0;

	stream.decoder = decoder;
	for (uint32_t at = list->first; at != NONE && err == 0;) {
		const struct segment *segment = AT(const struct segment, &segments->segments, at);

		resume(&stream, segments, segment, records);
		err = ct_record_stream_decode(&stream, &end);
		at = segment->next;
	}
	return err;
}
