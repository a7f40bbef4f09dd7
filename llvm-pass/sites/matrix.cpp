/* SPDX-License-Identifier: Apache-2.0 */
/* The part of memory that a warp's matrix load or store covers. */
#include "llvm-pass/sites/matrix.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

/// m16n8k32 and the like; k is 0 where it is not said.
static bool readShape(StringRef Word, uint32_t &M, uint32_t &N, uint32_t &K) {
  K = 0;
  return Word.consume_front("m") && !Word.consumeInteger(10, M) &&
         Word.consume_front("n") && !Word.consumeInteger(10, N) &&
         (Word.empty() ||
          (Word.consume_front("k") && !Word.getAsInteger(10, K)));
}

static bool readElement(LLVMContext &C, StringRef Word, ct::MatrixTile &Tile) {
  static const struct {
    const char *Name;
    uint32_t Bits;
  } Known[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"f32", 32},
               {"f64", 64}, {"s8", 8},    {"u8", 8},    {"s4", 4},
               {"u4", 4},   {"b1", 1},    {"s32", 32}};
  for (const auto &Entry : Known) {
    if (Word != Entry.Name)
      continue;
    Tile.ElementBits = Entry.Bits;
    Tile.Element = Word == "f16"                     ? Type::getHalfTy(C)
                   : Word == "bf16"                  ? Type::getBFloatTy(C)
                   : Word == "f32" || Word == "tf32" ? Type::getFloatTy(C)
                   : Word == "f64"                   ? Type::getDoubleTy(C)
                                   : (Type *)Type::getIntNTy(C, Entry.Bits);
    return true;
  }
  return false;
}

std::optional<ct::MatrixTile> ct::wmmaTile(LLVMContext &C,
                                           ArrayRef<StringRef> Words) {
  MatrixTile Tile = {};
  uint32_t M = 0, N = 0, K = 0;
  StringRef Fragment;
  bool ByRow = is_contained(Words, "row"),
       ByColumn = is_contained(Words, "col");

  for (size_t I = 0; I < Words.size(); I++) {
    if ((Words[I] == "load" || Words[I] == "store") && I + 1 < Words.size()) {
      Tile.IsStore = Words[I] == "store";
      Fragment = Words[I + 1];
    }
    if (!M)
      readShape(Words[I], M, N, K);
    if (!Tile.Element)
      readElement(C, Words[I], Tile);
  }
  if (!M || !K || !Tile.Element || ByRow == ByColumn || Fragment.size() != 1)
    return std::nullopt;
  uint32_t Height = Fragment == "b" ? K : M, Width = Fragment == "a" ? K : N;
  Tile.Rows = ByRow ? Height : Width;
  Tile.RowElements = ByRow ? Width : Height;
  return Tile;
}

std::optional<ct::MatrixRows> ct::matrixRows(ArrayRef<StringRef> Words) {
  uint32_t M = 0, N = 0, K = 0, Count = 0;
  for (StringRef Word : Words) {
    if (!M && !readShape(Word, M, N, K))
      M = 0;
    if (Word == "x1" || Word == "x2" || Word == "x4")
      Count = Word[1] - '0';
  }
  bool Store = is_contained(Words, "stmatrix");
  if (!M || !Count)
    return std::nullopt;
  // Transposed tiles of bytes: m16n16 loads read 16 rows, m16n8 stores write 8
  // rows, of 16 bytes.
  uint32_t Rows = M == 16 && !Store ? 16 : 8;
  return MatrixRows{std::min(Rows * Count, 32u), 16};
}
