/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what calls say they move with what events say. */
#include "host-rt/streams/transfer_shape.h"
#include <criterion/criterion.h>

#define AT(address) ((void *)(uintptr_t)(address))

static void check(const struct ct_event_transfer *e, uint64_t target, uint64_t source,
		  uint64_t width, uint64_t height, uint64_t depth)
{
	cr_assert_eq(e->target, target);
	cr_assert_eq(e->source, source);
	cr_assert_eq(e->width, width);
	cr_assert_eq(e->height, height);
	cr_assert_eq(e->depth, depth);
}

Test(hostrt_transfer_shape, contiguous_memory_is_one_row)
{
	struct ct_transfer t =
	    ct_transfer_linear(AT(0x1000), AT(0x2000), 77, cudaMemcpyHostToDevice, NULL);

	check(&t.event, 0x1000, 0x2000, 77, 1, 1);
	cr_assert_eq(t.event.kind, CT_TRANSFER_COPY);
	cr_assert_eq(t.direction, cudaMemcpyHostToDevice);
}

Test(hostrt_transfer_shape, a_part_of_a_box_begins_at_its_position)
{
	struct cudaMemcpy3DParms box = {
	    .srcPtr = {AT(0x10000), 100, 90, 10},
	    .srcPos = {3, 2, 1},
	    .dstPtr = {AT(0x20000), 50, 50, 20},
	    .dstPos = {5, 4, 2},
	    .extent = {30, 6, 3},
	    .kind = cudaMemcpyDefault,
	};
	struct ct_transfer t = ct_transfer_slices(&box, NULL);

	check(&t.event, 0x20000 + 2 * 1000 + 4 * 50 + 5, 0x10000 + 1000 + 2 * 100 + 3, 30, 6, 3);
	cr_assert_eq(t.event.target_row, 50);
	cr_assert_eq(t.event.target_slice, 1000);
	cr_assert_eq(t.event.source_row, 100);
	cr_assert_eq(t.event.source_slice, 1000);
}

Test(hostrt_transfer_shape, a_memset_has_no_source)
{
	struct cudaPitchedPtr to = {AT(0x3000), 64, 60, 8};
	struct ct_transfer t = ct_transfer_fill_slices(to, (struct cudaExtent){40, 5, 2}, NULL);

	check(&t.event, 0x3000, 0, 40, 5, 2);
	cr_assert_eq(t.event.kind, CT_TRANSFER_SET);
	cr_assert_eq(t.event.target_row, 64);
	cr_assert_eq(t.event.target_slice, 512);
}

Test(hostrt_transfer_shape, a_variable_is_an_offset_until_its_address_is_known)
{
	static const char variable;
	struct ct_transfer to =
	    ct_transfer_to_symbol(&variable, 16, AT(0x4000), 8, cudaMemcpyHostToDevice, NULL);
	struct ct_transfer from =
	    ct_transfer_from_symbol(AT(0x4000), &variable, 24, 8, cudaMemcpyDeviceToHost, NULL);

	check(&to.event, 16, 0x4000, 8, 1, 1);
	cr_assert_eq(to.to_symbol, &variable);
	check(&from.event, 0x4000, 24, 8, 1, 1);
	cr_assert_eq(from.event.kind, CT_TRANSFER_COPY);
	cr_assert_eq(from.from_symbol, &variable);
}

/* Four channels of 16 bits. */
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
			     unsigned int *flags, cudaArray_t array)
{
	(void)array;
	*format = (struct cudaChannelFormatDesc){16, 16, 16, 16, cudaChannelFormatKindUnsigned};
	*extent = (struct cudaExtent){0};
	*flags = 0;
	return cudaSuccess;
}

Test(hostrt_transfer_shape, an_array_has_no_address_and_its_elements_are_counted)
{
	struct cudaMemcpy3DParms into = {.srcPtr = {AT(0x5000), 128, 128, 4},
					 .dstArray = AT(0x77),
					 .extent = {10, 4, 1},
					 .kind = cudaMemcpyDeviceToDevice};
	struct cudaMemcpy3DParms out = {.srcArray = AT(0x77),
					.dstPtr = {AT(0x6000), 128, 128, 4},
					.extent = {10, 4, 1},
					.kind = cudaMemcpyDeviceToDevice};
	struct ct_transfer t = ct_transfer_slices(&into, NULL);

	check(&t.event, 0, 0x5000, 80, 4, 1);
	cr_assert_eq(t.event.kind, CT_TRANSFER_COPY);
	t = ct_transfer_slices(&out, NULL);
	check(&t.event, 0x6000, 0, 80, 4, 1);
	cr_assert_eq(t.event.kind, CT_TRANSFER_SET);
	out.dstArray = AT(0x78);
	t = ct_transfer_slices(&out, NULL);
	cr_assert_eq(t.event.width, 0);
}
