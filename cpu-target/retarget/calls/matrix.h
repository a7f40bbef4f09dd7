/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix operations of a warp, as intrinsics and as inline PTX. */
#ifndef CT_CPU_TARGET_RETARGET_CALLS_MATRIX_H
#define CT_CPU_TARGET_RETARGET_CALLS_MATRIX_H

#include "cpu-target/device/matrix.h"
#include "cpu-target/retarget/calls/calls.h"

namespace ct {

/// Part of a matrix as wmma.load and wmma.store move it.
struct MatrixTile {
  unsigned Lines, Inner, Type, Words, Stride;
  bool Contiguous;
};

/// Parses the words of an opcode or of an intrinsic's name; false if they name
/// something that has no translation.
bool describeMma(llvm::ArrayRef<llvm::StringRef> Words, bool IsWmma,
                 ct_cpu_mma &Mma);
bool describeTile(llvm::ArrayRef<llvm::StringRef> Words, MatrixTile &Tile);
/// ldmatrix and stmatrix: number of 8x8 tiles, 0 if unknown.
unsigned countTiles(llvm::ArrayRef<llvm::StringRef> Words);

/// Memory for Count registers of 32 bits.
llvm::Value *newRegisters(llvm::IRBuilderBase &B, unsigned Count);
/// Registers one after the other in new memory; nullptr if one is.
llvm::Value *packRegisters(llvm::IRBuilderBase &B,
                           llvm::ArrayRef<llvm::Value *> Registers);
llvm::SmallVector<llvm::Value *>
unpackRegisters(llvm::IRBuilderBase &B, llvm::Value *Memory,
                llvm::ArrayRef<llvm::Type *> Types);

/// The memory that holds the result.
llvm::Value *emitMma(llvm::IRBuilderBase &B, const ct_cpu_mma &Mma,
                     llvm::Value *A, llvm::Value *BFragment, llvm::Value *C);
llvm::Value *emitTileLoad(llvm::IRBuilderBase &B, const MatrixTile &Tile,
                          llvm::Value *From, llvm::Value *Stride);
void emitTileStore(llvm::IRBuilderBase &B, const MatrixTile &Tile,
                   llvm::Value *To, llvm::Value *Stride, llvm::Value *Memory);

/// A call of llvm.nvvm.<Text>; nullptr if there is no translation.
llvm::Value *lowerMatrixIntrinsic(llvm::IRBuilderBase &B, llvm::CallInst &Call,
                                  llvm::StringRef Text);

} // namespace ct

#endif
