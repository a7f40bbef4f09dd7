/* SPDX-License-Identifier: Apache-2.0 */
/* The part of memory that a warp's matrix load or store covers. */
#ifndef CT_LLVM_PASS_SITES_MATRIX_H
#define CT_LLVM_PASS_SITES_MATRIX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Type.h"
#include <cstdint>
#include <optional>

namespace ct {

/// Rows are what is contiguous: columns of a matrix that is stored by columns.
struct MatrixTile {
  bool IsStore;
  llvm::Type *Element;
  uint32_t ElementBits, RowElements, Rows;
};

/// The tile of wmma.load or wmma.store, from the words of the PTX opcode or of
/// the intrinsic's name; none if they do not say it all.
std::optional<MatrixTile> wmmaTile(llvm::LLVMContext &C,
                                   llvm::ArrayRef<llvm::StringRef> Words);

/// Describes what ldmatrix and stmatrix access: so many lanes give the address
/// of a row.
struct MatrixRows {
  uint32_t Lanes, Bytes;
};
std::optional<MatrixRows> matrixRows(llvm::ArrayRef<llvm::StringRef> Words);

} // namespace ct
#endif
