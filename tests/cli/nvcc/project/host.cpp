/* SPDX-License-Identifier: Apache-2.0 */
/* Host code, compiled by C++'s compiler. */
int four()
{
	return 4;
}
