// SPDX-License-Identifier: Apache-2.0
// A library that test_symbols looks up return addresses of. Lines that it expects are marked.
#include "tests/unit/postproc/symbols/sample.h"

namespace demo
{

inline __attribute__((always_inline)) void inner(sample_note *note)
{
	note(__builtin_return_address(0)); // line: own
	sample_here(note);                 // line: inner
}

inline __attribute__((always_inline)) void middle(sample_note *note)
{
	inner(note); // line: middle
}

template <typename T> __attribute__((noinline)) T outer(sample_note *note, T start)
{
	middle(note); // line: outer
	return start + 3;
}

struct machine {
	int start;

	__attribute__((noinline)) int run(sample_note *note)
	{
		return outer<int>(note, start) + 1; // line: run
	}
};

} // namespace demo

int sample_run(sample_note *note)
{
	demo::machine machine{7};

	return machine.run(note) + 1;
}
