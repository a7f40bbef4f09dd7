/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that are translated, by their words. */
#include "cpu-target/retarget/ptx/modifiers.h"
#include "cpu-target/retarget/ptx/ptx.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace ct {

namespace {
struct Row {
  StringLiteral Opcodes, Types, Modifiers;
};
} // namespace

static constexpr Row Rows[] = {
#define CT_PTX(opcodes, types, modifiers) {opcodes, types, modifiers},
#include "cpu-target/retarget/ptx/modifiers.def"
};

/// Whether a word is in a list, or begins as one there that ends in *.
static bool isListed(StringRef List, StringRef Word) {
  SmallVector<StringRef, 32> Words;
  List.split(Words, ' ', -1, /*KeepEmpty=*/false);
  return any_of(Words, [&](StringRef Listed) {
    return Listed.consume_back("*") ? Word.starts_with(Listed) : Word == Listed;
  });
}

/// Whether the letter of a row stands for a type.
static bool isOf(char Letter, PtxType T) {
  switch (Letter) {
  case 'i':
    return !T.isFloat() && T.Kind != 'p' && T.Lanes == 1;
  case 's':
    return T.isSigned() && T.Bits == 32 && T.Lanes == 1;
  case 'v':
    return !T.isFloat() && T.Lanes == 2;
  case 'f':
    return T.isFloat() && T.Bits == 32 && T.Lanes == 1;
  case 'F':
    return T.isFloat() && T.Bits == 32 && T.Lanes == 2;
  case 'd':
    return T.isFloat() && T.Bits == 64;
  case 'h':
    return T.isHalf() && !T.Brain;
  case 'b':
    return T.isHalf() && T.Brain;
  case 'p':
    return T.Kind == 'p';
  default:
    return false;
  }
}

static bool areOf(StringRef Letters, ArrayRef<PtxType> Types) {
  if (Letters == "*")
    return true;
  if (Letters == "-")
    return Types.empty();
  if (Letters.size() != Types.size())
    return false;
  for (size_t I = 0; I < Types.size(); ++I)
    if (!isOf(Letters[I], Types[I]))
      return false;
  return true;
}

static bool allows(const Row &R, const PtxInstruction &I,
                   ArrayRef<PtxType> Types, ArrayRef<StringRef> Words) {
  SmallVector<StringRef, 16> Alternatives;
  R.Types.split(Alternatives, ' ');
  return isListed(R.Opcodes, I.Opcode) &&
         any_of(Alternatives,
                [&](StringRef Letters) { return areOf(Letters, Types); }) &&
         all_of(Words,
                [&](StringRef Word) { return isListed(R.Modifiers, Word); });
}

bool isKnownPtx(const PtxInstruction &I) {
  SmallVector<PtxType, 4> Types;
  SmallVector<StringRef, 8> Words;
  for (StringRef Modifier : I.Modifiers) {
    if (PtxType T = PtxType::parse(Modifier))
      Types.push_back(T);
    else
      Words.push_back(Modifier);
  }
  return any_of(Rows, [&](const Row &R) { return allows(R, I, Types, Words); });
}

} // namespace ct
