/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signatures of calls as one list of types and names (api.def): type, name, type, name, ...; or
 * void, of a call without parameters.
 */
#ifndef CUDATRACE_SIGNATURE_H
#define CUDATRACE_SIGNATURE_H

/* (type name, ...) and (name, ...) */
#define CT_PARAMETERS(...) (CT_EACH(CT_PARAMETER, CT_NEXT_PARAMETER, void, __VA_ARGS__))
#define CT_ARGUMENTS(...) (CT_EACH(CT_ARGUMENT, CT_NEXT_ARGUMENT, , __VA_ARGS__))
/* The same behind one that stands first. */
#define CT_PARAMETERS_BEHIND(first, ...)                                                           \
	(first CT_EACH(CT_NEXT_PARAMETER, CT_NEXT_PARAMETER, , __VA_ARGS__))
#define CT_ARGUMENTS_BEHIND(first, ...)                                                            \
	(first CT_EACH(CT_NEXT_ARGUMENT, CT_NEXT_ARGUMENT, , __VA_ARGS__))

#define CT_PARAMETER(type, name) type name
#define CT_ARGUMENT(type, name) name
#define CT_NEXT_PARAMETER(type, name) , type name
#define CT_NEXT_ARGUMENT(type, name) , name

/* begin(type, name) of the first pair, next(type, name) of each other; `none` of void. */
#define CT_EACH(begin, next, none, ...)                                                            \
	CT_EACH_OF(CT_PAIRS(__VA_ARGS__))(begin, next, none, __VA_ARGS__)
#define CT_EACH_OF(pairs) CT_EACH_NAMED(pairs)
#define CT_EACH_NAMED(pairs) CT_EACH_##pairs
#define CT_PAIRS(...)                                                                              \
	CT_PAIRS_AT(__VA_ARGS__, 11, odd, 10, odd, 9, odd, 8, odd, 7, odd, 6, odd, 5, odd, 4, odd, \
		    3, odd, 2, odd, 1, 0, )
#define CT_PAIRS_AT(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, pairs, ...)  \
	pairs

#define CT_EACH_0(begin, next, none, nothing) none
#define CT_EACH_1(begin, next, none, t, n) begin(t, n)
#define CT_EACH_2(begin, next, none, t, n, ...) begin(t, n) CT_EACH_1(next, next, none, __VA_ARGS__)
#define CT_EACH_3(begin, next, none, t, n, ...) begin(t, n) CT_EACH_2(next, next, none, __VA_ARGS__)
#define CT_EACH_4(begin, next, none, t, n, ...) begin(t, n) CT_EACH_3(next, next, none, __VA_ARGS__)
#define CT_EACH_5(begin, next, none, t, n, ...) begin(t, n) CT_EACH_4(next, next, none, __VA_ARGS__)
#define CT_EACH_6(begin, next, none, t, n, ...) begin(t, n) CT_EACH_5(next, next, none, __VA_ARGS__)
#define CT_EACH_7(begin, next, none, t, n, ...) begin(t, n) CT_EACH_6(next, next, none, __VA_ARGS__)
#define CT_EACH_8(begin, next, none, t, n, ...) begin(t, n) CT_EACH_7(next, next, none, __VA_ARGS__)
#define CT_EACH_9(begin, next, none, t, n, ...) begin(t, n) CT_EACH_8(next, next, none, __VA_ARGS__)
#define CT_EACH_10(begin, next, none, t, n, ...)                                                   \
	begin(t, n) CT_EACH_9(next, next, none, __VA_ARGS__)
#define CT_EACH_11(begin, next, none, t, n, ...)                                                   \
	begin(t, n) CT_EACH_10(next, next, none, __VA_ARGS__)

#endif
