/* SPDX-License-Identifier: Apache-2.0 */
/* Unions of products of sets, and who is in them. */
#include "postproc/analysis/comm/flows/cover.h"

#include "base/array.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_part(const void *a, const void *b)
{
	const struct ct_cover_block *x = a, *y = b;

	if (x->sources != y->sources)
		return x->sources < y->sources ? -1 : 1;
	return x->targets < y->targets ? -1 : x->targets > y->targets;
}

/* Each once. */
static size_t sort_parts(struct ct_cover_block *part, size_t count)
{
	size_t kept = 0;

	qsort(part, count, sizeof(*part), compare_part);
	for (size_t i = 0; i < count; i++)
		if (!kept || compare_part(&part[kept - 1], &part[i]) != 0)
			part[kept++] = part[i];
	return kept;
}

static union ct_map_value *place_of(struct ct_covers *covers, const struct ct_cover_block *part,
				    size_t count)
{
	uint64_t key[2] = {count, ~count};

	for (size_t i = 0; i < count; i++) {
		key[0] = ct_map_hash(key[0], (uint64_t)part[i].sources << 32 | part[i].targets);
		key[1] = ct_map_hash(key[1], (uint64_t)part[i].targets << 32 | part[i].sources);
	}
	return ct_map_put(&covers->number, key[0], key[1]);
}

/* The cover of the parts behind all others. A negative error. */
static int64_t add_cover(struct ct_covers *covers, size_t first)
{
	size_t count = sort_parts(covers->part + first, covers->parts - first);
	union ct_map_value *value = place_of(covers, covers->part + first, count);

	covers->parts = first;
	if (!value)
		return -ENOMEM;
	if (value->number)
		return (int64_t)value->number - 1;
	if (ct_array_reserve(&covers->cover, &covers->cover_room, covers->covers + 1,
			     sizeof(*covers->cover)) < 0)
		return -ENOMEM;
	covers->parts = first + count;
	covers->cover[covers->covers++] = (struct ct_cover){first, count};
	value->number = covers->covers;
	return (int64_t)covers->covers - 1;
}

static int add_part(struct ct_covers *covers, const struct ct_product *product)
{
	int err = ct_array_reserve(&covers->part, &covers->part_room, covers->parts + 1,
				   sizeof(*covers->part));

	if (err == 0)
		covers->part[covers->parts++] =
		    (struct ct_cover_block){product->sources, product->targets};
	return err;
}

static int cover_all(struct ct_covers *covers)
{
	const struct ct_products *products = covers->products;
	int64_t cover;
	int err = 0;

	for (size_t i = 0; i < products->count && err == 0; i++)
		err = add_part(covers, &products->product[i]);
	cover = err == 0 ? add_cover(covers, 0) : err;
	covers->of_all = (uint32_t)cover;
	return cover < 0 ? (int)cover : 0;
}

/* A product belongs to this: a superstep, or a pair of kernels. */
struct belonging {
	uint64_t key;
	size_t product;
};

static int compare_belonging(const void *a, const void *b)
{
	const struct belonging *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->product < y->product ? -1 : x->product > y->product;
}

/* Covers of what belongs together go to covers by key. */
static int cover_by_key(struct ct_covers *covers, struct belonging *of,
			int (*note)(struct ct_covers *covers, uint64_t key, uint32_t cover))
{
	const struct ct_products *products = covers->products;
	int err = 0;

	qsort(of, products->count, sizeof(*of), compare_belonging);
	for (size_t i = 0; i < products->count && err == 0;) {
		size_t first = covers->parts, begin = i;
		int64_t cover;

		for (; i < products->count && of[i].key == of[begin].key && err == 0; i++)
			err = add_part(covers, &products->product[of[i].product]);
		cover = err == 0 ? add_cover(covers, first) : err;
		err = cover < 0 ? (int)cover : note(covers, of[begin].key, (uint32_t)cover);
	}
	return err;
}

static int note_step(struct ct_covers *covers, uint64_t key, uint32_t cover)
{
	covers->of_step[key] = cover;
	return 0;
}

static int note_reader(struct ct_covers *covers, uint64_t key, uint32_t cover)
{
	covers->of_reader[key] = cover;
	return 0;
}

static int note_pair(struct ct_covers *covers, uint64_t key, uint32_t cover)
{
	union ct_map_value *value = ct_map_put(&covers->of_pair, key, 0);

	if (!value)
		return -ENOMEM;
	value->number = (uint64_t)cover + 1;
	return 0;
}

static int cover_parts(struct ct_covers *covers, const struct ct_engine *engine)
{
	const struct ct_products *products = covers->products;
	struct belonging *of = malloc((products->count + 1) * sizeof(*of));
	int err;

	if (!of)
		return -ENOMEM;
	for (size_t i = 0; i < products->count; i++)
		of[i] = (struct belonging){products->product[i].source, i};
	err = cover_by_key(covers, of, note_step);
	for (size_t i = 0; i < products->count; i++)
		of[i] = (struct belonging){products->product[i].target, i};
	if (err == 0)
		err = cover_by_key(covers, of, note_reader);
	for (size_t i = 0; i < products->count; i++)
		of[i] = (struct belonging){
		    .key = CT_PAIR_KEY(engine->step[products->product[i].source].kernel,
				       engine->step[products->product[i].target].kernel),
		    .product = i,
		};
	if (err == 0)
		err = cover_by_key(covers, of, note_pair);
	free(of);
	return err;
}

int ct_covers_init(struct ct_covers *covers, const struct ct_engine *engine)
{
	int err;

	*covers = (struct ct_covers){.products = engine->products, .of_all = CT_NO_COVER};
	covers->of_step = malloc((engine->supersteps + 1) * sizeof(*covers->of_step));
	covers->of_reader = malloc((engine->supersteps + 1) * sizeof(*covers->of_reader));
	if (!covers->of_step || !covers->of_reader)
		return -ENOMEM;
	for (size_t i = 0; i < engine->supersteps; i++)
		covers->of_step[i] = covers->of_reader[i] = CT_NO_COVER;
	if (!engine->products->count)
		return 0;
	err = cover_all(covers);
	return err == 0 ? cover_parts(covers, engine) : err;
}

void ct_covers_fini(struct ct_covers *covers)
{
	free(covers->part);
	free(covers->cover);
	free(covers->of_step);
	free(covers->of_reader);
	ct_map_fini(&covers->number);
	ct_map_fini(&covers->of_pair);
	*covers = (struct ct_covers){.products = NULL};
}

int ct_cover_cursor_init(struct ct_cover_cursor *cursor, const struct ct_covers *covers,
			 uint64_t ctas, bool is_target)
{
	*cursor = (struct ct_cover_cursor){.covers = covers, .is_target = is_target};
	cursor->is_in = calloc(covers->products->sets.count + 1, sizeof(*cursor->is_in));
	cursor->sets = calloc(covers->parts + 1, sizeof(*cursor->sets));
	cursor->spare = calloc(covers->parts + 1, sizeof(*cursor->spare));
	cursor->view = calloc(covers->covers + 1, sizeof(*cursor->view));
	cursor->bits = calloc(ctas / 64 + 1, sizeof(*cursor->bits));
	if (cursor->is_in && cursor->sets && cursor->spare && cursor->view && cursor->bits)
		return 0;
	ct_cover_cursor_fini(cursor);
	return -ENOMEM;
}

void ct_cover_cursor_fini(struct ct_cover_cursor *cursor)
{
	free(cursor->is_in);
	free(cursor->sets);
	free(cursor->spare);
	free(cursor->view);
	free(cursor->bits);
	*cursor = (struct ct_cover_cursor){.covers = NULL};
}

/* How many CTAs are in any of the sets. */
static uint64_t count_union(struct ct_cover_cursor *cursor, const uint32_t *sets, size_t count)
{
	const struct ct_cta_set *all = cursor->covers->products->sets.set;
	uint64_t ctas = 0;

	if (count == 1)
		return all[sets[0]].count;
	for (size_t i = 0; i < count; i++)
		for (uint32_t c = 0; c < all[sets[i]].count; c++) {
			uint32_t cta = all[sets[i]].cta[c];

			ctas += !(cursor->bits[cta / 64] >> cta % 64 & 1);
			cursor->bits[cta / 64] |= 1ull << cta % 64;
		}
	for (size_t i = 0; i < count; i++)
		for (uint32_t c = 0; c < all[sets[i]].count; c++)
			cursor->bits[all[sets[i]].cta[c] / 64] = 0;
	return ctas;
}

/* CTAs next to each other mostly have the same partners: these are not counted again. */
static void move_view(struct ct_cover_cursor *cursor, size_t cover)
{
	const struct ct_cover *of = &cursor->covers->cover[cover];
	const struct ct_cover_block *part = cursor->covers->part + of->first;
	struct ct_cover_view *view = &cursor->view[cover];
	uint32_t *sets = cursor->sets + of->first, *spare = cursor->spare;
	size_t count = 0;

	for (size_t i = 0; i < of->count; i++)
		if (cursor->is_in[cursor->is_target ? part[i].targets : part[i].sources])
			spare[count++] = cursor->is_target ? part[i].sources : part[i].targets;
	if (count == view->count && memcmp(spare, sets, count * sizeof(*sets)) == 0)
		return;
	memcpy(sets, spare, count * sizeof(*sets));
	view->count = count;
	view->partners = count ? count_union(cursor, sets, count) : 0;
}

void ct_cover_cursor_move(struct ct_cover_cursor *cursor, uint32_t cta)
{
	const struct ct_cta_sets *sets = &cursor->covers->products->sets;

	cursor->cta = cta;
	for (size_t i = 0; i < sets->count; i++)
		cursor->is_in[i] = ct_cta_set_has(&sets->set[i], cta);
	for (size_t i = 0; i < cursor->covers->covers; i++)
		move_view(cursor, i);
}

bool ct_cover_has(const struct ct_cover_cursor *cursor, uint32_t cover, uint32_t partner)
{
	const struct ct_cta_set *all = cursor->covers->products->sets.set;
	const uint32_t *sets;

	if (cover == CT_NO_COVER)
		return false;
	sets = cursor->sets + cursor->covers->cover[cover].first;
	for (size_t i = 0; i < cursor->view[cover].count; i++)
		if (ct_cta_set_has(&all[sets[i]], partner))
			return true;
	return false;
}

uint64_t ct_cover_partners(const struct ct_cover_cursor *cursor, uint32_t cover, bool with_itself)
{
	if (cover == CT_NO_COVER)
		return 0;
	return cursor->view[cover].partners -
	       (!with_itself && ct_cover_has(cursor, cover, cursor->cta));
}
