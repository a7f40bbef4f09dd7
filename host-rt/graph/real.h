/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA calls that only programs with graphs use. Weak: the CPU target's
 * runtime and older CUDA runtimes need not have all of them.
 */
#ifndef CT_HOST_RT_GRAPH_REAL_H
#define CT_HOST_RT_GRAPH_REAL_H

#include "host-rt/calls/symbols.h"

#pragma weak cudaGraphAddKernelNode
#pragma weak cudaGraphChildGraphNodeGetGraph
#pragma weak cudaGraphCreate
#pragma weak cudaGraphDestroy
#pragma weak cudaGraphGetEdges
#pragma weak cudaGraphGetNodes
#pragma weak cudaGraphKernelNodeCopyAttributes
#pragma weak cudaGraphKernelNodeGetAttribute
#pragma weak cudaGraphKernelNodeGetParams
#pragma weak cudaGraphKernelNodeSetParams
#pragma weak cudaGraphMemcpyNodeGetParams
#pragma weak cudaGraphMemsetNodeGetParams
#pragma weak cudaGraphNodeGetType

#endif
