# SPDX-License-Identifier: Apache-2.0
# cmake -D NM=… -D OBJECT=… -D SOURCE=… -D NAMES=… -P CtGates.cmake
#   Gates (cpu-target/runtime/gate/gate.h) for the calls of CUDA that OBJECT defines: SOURCE, in
#   assembler, has each under its name; NAMES, for objcopy --redefine-syms, moves OBJECT's own behind
#   it. What needs no device has none.
cmake_minimum_required(VERSION 3.20)
set(free cudaGetLastError cudaPeekAtLastError cudaGetErrorName cudaGetErrorString cudaCreateChannelDesc
	cudaDriverGetVersion cudaRuntimeGetVersion cuDriverGetVersion cuGetErrorName cuGetErrorString)
execute_process(COMMAND ${NM} --defined-only --format=posix ${OBJECT} OUTPUT_VARIABLE symbols
	COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "(^|\n)cu(da)?[A-Z][A-Za-z0-9_]* T " symbols "${symbols}")
# A call's arguments are in these registers and on the stack.
set(text "	.text
	.type ct_gate_ask, @function
ct_gate_ask:
	.cfi_startproc
	pushq %rdi
	pushq %rsi
	pushq %rdx
	pushq %rcx
	pushq %r8
	pushq %r9
	.cfi_adjust_cfa_offset 48
	call ct_gate_enter
	popq %r9
	popq %r8
	popq %rcx
	popq %rdx
	popq %rsi
	popq %rdi
	.cfi_adjust_cfa_offset -48
	testl %eax, %eax
	ret
	.cfi_endproc
	.size ct_gate_ask, .-ct_gate_ask
	.section .note.GNU-stack, \"\", @progbits
	.text
")
set(names)
foreach(symbol ${symbols})
	string(REGEX MATCH "cu[A-Za-z0-9_]+" symbol "${symbol}")
	if(symbol IN_LIST free)
		continue()
	endif()
	string(APPEND names "${symbol} ct_open_${symbol}\n")
	string(APPEND text "	.globl ${symbol}
	.type ${symbol}, @function
${symbol}:
	.cfi_startproc
	cmpb $0, ct_gate_open(%rip)
	jne ct_open_${symbol}
	call ct_gate_ask
	je ct_open_${symbol}
	ret
	.cfi_endproc
	.size ${symbol}, .-${symbol}
")
endforeach()
if(NOT names)
	message(FATAL_ERROR "${OBJECT} defines no calls of CUDA")
endif()
file(WRITE ${SOURCE} "${text}")
file(WRITE ${NAMES} "${names}")
