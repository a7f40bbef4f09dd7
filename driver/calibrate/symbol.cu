/* SPDX-License-Identifier: Apache-2.0 */
/* A variable of a GPU, for calls that copy to and from symbols: as PTX, too, for whatever GPU there
 * is. */
#define BYTES (1u << 20) /* CT_BUSY_SYMBOL_BYTES */

__device__ char ct_probe_variable[BYTES];

extern "C" const void *ct_busy_symbol(void)
{
	return ct_probe_variable;
}
