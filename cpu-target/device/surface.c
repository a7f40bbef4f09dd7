/* SPDX-License-Identifier: Apache-2.0 */
/* Surface accesses (suld.b, sust.b): x in bytes, y and planes in elements. */
#include "cpu-target/device/device.h"
#include "cpu-target/runtime/memory/image.h"

/* Along one axis, of positions 0 to last; 0: there is none. */
static int inside(i64 *at, i64 last, u32 boundary)
{
	if (*at >= 0 && *at <= last)
		return 1;
	if (boundary == CT_BOUNDARY_TRAP)
		__ct_cpu_trap();
	*at = *at < 0 ? 0 : last;
	return boundary == CT_BOUNDARY_CLAMP && last >= 0;
}

/* Where the access goes, NULL outside. */
static char *place_of(const struct ct_cpu_image *image, const struct ct_cpu_surface_access *a,
		      const i32 *words)
{
	u32 has_layer = a->shape == CT_SHAPE_A1D || a->shape == CT_SHAPE_A2D;
	u32 has_row = a->shape != CT_SHAPE_1D && a->shape != CT_SHAPE_A1D;
	i64 row_bytes, x, y = 0, z = 0;

	if (!image)
		__ct_cpu_trap();
	row_bytes = (i64)image->width * image->channels * image->bits / 8;
	if (has_layer)
		z = *words++;
	x = *words++;
	if (has_row)
		y = *words++;
	if (a->shape == CT_SHAPE_3D)
		z = *words;
	if (!inside(&x, row_bytes - (i64)(a->bytes * a->count), a->boundary) ||
	    !inside(&y, image->height - 1, a->boundary) ||
	    !inside(&z, image->depth - 1, a->boundary))
		return NULL;
	return image->start + (u64)z * image->slice + (u64)y * image->pitch + x;
}

/* count values of 64 bits each in memory; what is outside reads as 0. */
void __ct_cpu_surface_read(const struct ct_cpu_image *image, const struct ct_cpu_surface_access *a,
			   const i32 *coordinates, u64 *out)
{
	const char *place = place_of(image, a, coordinates);

	for (u32 i = 0; i < a->count; i++) {
		out[i] = 0;
		if (place)
			__builtin_memcpy(&out[i], place + i * a->bytes, a->bytes);
	}
}

void __ct_cpu_surface_write(const struct ct_cpu_image *image, const struct ct_cpu_surface_access *a,
			    const i32 *coordinates, const u64 *in)
{
	char *place = place_of(image, a, coordinates);

	for (u32 i = 0; place && i < a->count; i++)
		__builtin_memcpy(place + i * a->bytes, &in[i], a->bytes);
}
