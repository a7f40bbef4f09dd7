/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texture fetches: CUDA C++ Programming Guide, "Texture Fetching". Weights of
 * filters have 8 bits of fraction, as there. Faces of cubes are filtered one by
 * one.
 */
#include "cpu-target/device/device.h"
#include "cpu-target/runtime/memory/image.h"

#define FAR 0x1p40 /* coordinates beyond it are as far out as can be */

struct texel {
	u32 words[4];
};

/* Where a fetch is: coordinates in elements, of which it has so many; the plane of layers and
 * faces. */
struct point {
	double at[3];
	u32 axes;
	u32 plane;
};

static double half_to_double(u32 raw)
{
	uint16_t bits = (uint16_t)raw;
	_Float16 value;

	__builtin_memcpy(&value, &bits, sizeof(value));
	return (double)(float)value;
}

/* As PTX's tex gives it: integers in their size, reals as f32. */
static u32 channel(const struct ct_cpu_texture *t, const char *element, u32 index)
{
	const struct ct_cpu_image *image = &t->image;
	u32 bytes = image->bits / 8, raw = 0, top;
	double value;

	__builtin_memcpy(&raw, element + index * bytes, bytes);
	if (image->kind == CT_CHANNEL_FLOAT)
		return image->bits == 16 ? bits_of((float)half_to_double(raw)) : raw;
	if (image->kind == CT_CHANNEL_SIGNED)
		raw = (u32)((i32)(raw << (32 - image->bits)) >> (32 - image->bits));
	if (!t->is_normalized)
		return raw;
	top = (1u << (image->bits - (image->kind == CT_CHANNEL_SIGNED))) - 1;
	value = image->kind == CT_CHANNEL_SIGNED ? (double)(i32)raw / top : (double)raw / top;
	if (t->is_srgb && index < 3)
		value = value <= 0.04045
			    ? value / 12.92
			    : __builtin_exp(2.4 * __builtin_log((value + 0.055) / 1.055));
	return bits_of((float)(value < -1 ? -1 : value));
}

/* The element that an index stands for along an axis; -1: the border. */
static i64 resolve(i64 index, u32 size, u32 mode, u32 has_unit_coordinates)
{
	i64 n = size, around;

	if (!has_unit_coordinates && (mode == CT_ADDRESS_WRAP || mode == CT_ADDRESS_MIRROR))
		mode = CT_ADDRESS_CLAMP;
	switch (mode) {
	case CT_ADDRESS_WRAP:
		return (index % n + n) % n;
	case CT_ADDRESS_MIRROR:
		around = (index % (2 * n) + 2 * n) % (2 * n);
		return around < n ? around : 2 * n - 1 - around;
	case CT_ADDRESS_BORDER:
		return index < 0 || index >= n ? -1 : index;
	}
	return index < 0 ? 0 : index >= n ? n - 1 : index;
}

static struct texel border_of(const struct ct_cpu_texture *t)
{
	int real = t->image.kind == CT_CHANNEL_FLOAT || t->is_normalized;
	struct texel texel;

	for (u32 i = 0; i < 4; i++)
		texel.words[i] = real ? bits_of(t->border[i]) : (u32)(i64)t->border[i];
	return texel;
}

static struct texel texel_at(const struct ct_cpu_texture *t, const i64 *index, u32 axes, u32 plane)
{
	const struct ct_cpu_image *image = &t->image;
	u32 sizes[3] = {image->width, image->height, image->depth};
	u64 place[3] = {0, 0, plane};
	struct texel texel = {{0}};
	const char *element;

	for (u32 a = 0; a < axes; a++) {
		i64 found = resolve(index[a], sizes[a], t->address[a], t->has_unit_coordinates);

		if (found < 0)
			return border_of(t);
		place[a] = (u64)found;
	}
	element = image->start + place[2] * image->slice + place[1] * image->pitch +
		  place[0] * (image->channels * image->bits / 8);
	for (u32 i = 0; i < image->channels; i++)
		texel.words[i] = channel(t, element, i);
	return texel;
}

static double within(double x)
{
	return x != x ? 0 : x < -FAR ? -FAR : x > FAR ? FAR : x;
}

static struct texel nearest(const struct ct_cpu_texture *t, const struct point *p)
{
	i64 index[3] = {0};

	for (u32 a = 0; a < p->axes; a++)
		index[a] = (i64)__builtin_floor(within(p->at[a]));
	return texel_at(t, index, p->axes, p->plane);
}

/* The element below and the weight of the one above, in 256ths. */
static void split(double x, i64 *index, u32 *weight)
{
	i64 fixed = (i64)__builtin_floor((within(x) - 0.5) * 256 + 0.5);

	*index = fixed >> 8;
	*weight = (u32)(fixed & 255);
}

static struct texel filtered(const struct ct_cpu_texture *t, const struct point *p)
{
	double sums[4] = {0};
	struct texel result;
	u32 weights[3];
	i64 below[3];

	for (u32 a = 0; a < p->axes; a++)
		split(p->at[a], &below[a], &weights[a]);
	for (u32 corner = 0; corner < 1u << p->axes; corner++) {
		struct texel texel;
		double weight = 1;
		i64 index[3];

		for (u32 a = 0; a < p->axes; a++) {
			u32 above = corner >> a & 1;

			index[a] = below[a] + above;
			weight *= (above ? weights[a] : 256 - weights[a]) / 256.0;
		}
		if (weight == 0)
			continue;
		texel = texel_at(t, index, p->axes, p->plane);
		for (u32 i = 0; i < 4; i++)
			sums[i] += weight * float_of(texel.words[i]);
	}
	for (u32 i = 0; i < 4; i++)
		result.words[i] = bits_of((float)sums[i]);
	return result;
}

/* Face of a cube, and where on it, 0 to 1. */
static u32 face_of(const float *c, double *s, double *t)
{
	float x = c[0], y = c[1], z = c[2];
	float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
	double m, across, down;
	u32 face;

	if (ax >= ay && ax >= az) {
		face = x < 0, m = ax, across = x < 0 ? z : -z, down = -y;
	} else if (ay >= az) {
		face = 2 + (y < 0), m = ay, across = x, down = y < 0 ? -z : z;
	} else {
		face = 4 + (z < 0), m = az, across = z < 0 ? -x : x, down = -y;
	}
	*s = (across / m + 1) / 2;
	*t = (down / m + 1) / 2;
	return face;
}

/* Coordinates of 0 to 1 that repeat, or do so back and forth. */
static double fold(double x, u32 mode)
{
	double below = __builtin_floor(within(x));

	if (mode == CT_ADDRESS_WRAP)
		return x - below;
	if (mode == CT_ADDRESS_MIRROR)
		return (i64)below & 1 ? 1 - (x - below) : x - below;
	return x;
}

static u32 layer_of(const struct ct_cpu_image *image, u32 layer, u32 planes_each)
{
	u32 layers = image->depth / planes_each;

	return (layer < layers ? layer : layers - 1) * planes_each;
}

/* Reads the registers; is_index: integers, by which elements are counted. */
static struct point point_of(const struct ct_cpu_texture *t, u32 shape, u32 is_index,
			     const u32 *words)
{
	static const u32 axes[] = {1, 2, 3, 1, 2, 2, 2};
	const struct ct_cpu_image *image = &t->image;
	u32 is_cube = shape == CT_SHAPE_CUBE || shape == CT_SHAPE_ACUBE;
	u32 has_layer = shape == CT_SHAPE_A1D || shape == CT_SHAPE_A2D || shape == CT_SHAPE_ACUBE;
	u32 sizes[3] = {image->width, image->height, image->depth};
	struct point p = {.axes = axes[shape]};

	if (has_layer)
		p.plane = layer_of(image, *words++, is_cube ? 6 : 1);
	if (is_cube) {
		float direction[3] = {float_of(words[0]), float_of(words[1]), float_of(words[2])};

		p.plane += face_of(direction, &p.at[0], &p.at[1]);
	}
	for (u32 a = 0; a < p.axes; a++) {
		if (!is_cube)
			p.at[a] = is_index ? (double)(i32)words[a] : (double)float_of(words[a]);
		if (t->has_unit_coordinates && !is_cube && !is_index)
			p.at[a] = fold(p.at[a], t->address[a]);
		if (is_cube || (t->has_unit_coordinates && !is_index))
			p.at[a] *= sizes[a];
	}
	if (p.plane >= image->depth) /* faces of what is no cube */
		p.plane = image->depth - 1;
	return p;
}

/* tex: four words; nothing of a texture that there is none of. What an element lacks is 0, a
 * fetch by number beyond the end, too. */
void __ct_cpu_texture(const struct ct_cpu_texture *t, u32 shape, u32 is_index,
		      const u32 *coordinates, u32 *out)
{
	struct texel texel = {{0}};
	struct point p;

	if (!t)
		__ct_cpu_trap();
	p = point_of(t, shape, is_index, coordinates);
	if (is_index) {
		if (p.at[0] >= 0 && p.at[0] < t->image.width)
			texel = nearest(t, &p);
	} else {
		texel = t->is_linear ? filtered(t, &p) : nearest(t, &p);
	}
	for (u32 i = 0; i < 4; i++)
		out[i] = texel.words[i];
}

/* tld4: one component of the four elements that a filter would read, against the clock from the
 * lower left. */
void __ct_cpu_gather(const struct ct_cpu_texture *t, u32 shape, u32 component,
		     const u32 *coordinates, u32 *out)
{
	static const u32 across[] = {0, 1, 1, 0}, down[] = {1, 1, 0, 0};
	i64 below[2], index[2];
	struct point p;
	u32 weight;

	if (!t)
		__ct_cpu_trap();
	p = point_of(t, shape, 0, coordinates);
	split(p.at[0], &below[0], &weight);
	split(p.at[1], &below[1], &weight);
	for (u32 i = 0; i < 4; i++) {
		index[0] = below[0] + across[i];
		index[1] = below[1] + down[i];
		out[i] = texel_at(t, index, 2, p.plane).words[component];
	}
}
