/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the CTA clock's state of each device. */
#include "host-rt/ctas/state.h"

static struct ct_ctas_device devices[CT_DEVICES_MAX];

struct ct_ctas_device *ct_ctas_device_of(const struct ct_drain *drain)
{
	return &devices[drain->device->ordinal];
}
