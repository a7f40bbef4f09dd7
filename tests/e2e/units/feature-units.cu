/* SPDX-License-Identifier: Apache-2.0 */
/* Units that include the same kernels: counted in expect/feature-units.expect. */
// construct: inline kernel in a header that two units include
// construct: kernel template in several translation units
#define UNIT 100
#include "../features/feature.h"
#include "kernels.h"

int main()
{
	int *p = device_array<int>(64);
	float *f = device_array<float>(64);

	added<<<1, 64>>>(p, 3);
	added<<<1, 64>>>(f, 2.f);
	own<<<1, 64>>>(p);
	check("own unit", all_equal(p, 64, [](size_t) { return 106; }));
	in_other_unit(p, f);
	check("other unit", all_equal(p, 64, [](size_t i) { return i < 32 ? 308 : 306; }));
	check("template", all_equal(f, 64, [](size_t i) { return i < 32 ? 3 : 2; }));
	return finish();
}
