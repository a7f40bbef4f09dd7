/* SPDX-License-Identifier: Apache-2.0 */
/* The second unit, which launches the same kernels of the header. */
#define UNIT 200
#include "kernels.h"

void in_other_unit(int *p, float *f)
{
	added<<<1, 32>>>(p, 1);
	added<<<1, 32>>>(f, 1.f);
	own<<<1, 64>>>(p);
}
