/* SPDX-License-Identifier: Apache-2.0 */
/* Device code for a kernel elsewhere. */
__device__ int scale(int x)
{
	return 3 * x;
}
