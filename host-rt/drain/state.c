/* SPDX-License-Identifier: Apache-2.0 */
/* One drain per device. */
#include "host-rt/drain/state.h"

static struct ct_drain drains[CT_DEVICES_MAX];

struct ct_drain *ct_drain_of(const struct ct_device *device)
{
	return &drains[device->ordinal];
}
