/* SPDX-License-Identifier: Apache-2.0 */
/* A unit without device code. */
#include "shared.h"

int without_device_code(int x)
{
	return x + 1;
}
