/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of tier values that has not all values, made by hand. Every second of four CTAs of a warp
 * is summarised, of `site`, which calls `called`:
 *
 *   line 5   loads 1 and 1.0001 from p           a summary
 *   line 6   two asynchronous copies             ranges
 *   line 7   a texture is read
 *   line 8   a store that is not instrumented    "a reason"
 *   no line  a store without a value
 *   line 10  a load of local memory, which is not asked for
 *   line 15  called's surface store
 *
 * `plain` is of a unit without values and loads at line 4. `never`, at line 20 of the first unit,
 * is not launched, and nothing calls the function at line 25. Two launches of `site` are not
 * selected, one is not instrumented; the first launch is of tier counts.
 */
#ifndef CT_TRACE_VALUELESS_H
#define CT_TRACE_VALUELESS_H

/* Returns what the writer's close returned. */
int valueless_make(const char *directory);

#endif
