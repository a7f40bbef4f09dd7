/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix operations: descriptions from names, calls of the device runtime. */
#include "cpu-target/retarget/calls/matrix.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ct {

static constexpr unsigned NoType = ~0u;

static unsigned typeOf(StringRef Word) {
  return StringSwitch<unsigned>(Word)
#define CT_MATRIX_TYPE(Name, Text, Bits) .Case(Text, CT_MATRIX_##Name)
      CT_MATRIX_TYPES
#undef CT_MATRIX_TYPE
          .Default(NoType);
}

static unsigned bitsOf(unsigned Type) {
  static const unsigned Bits[] = {
#define CT_MATRIX_TYPE(Name, Text, Bits) Bits,
      CT_MATRIX_TYPES
#undef CT_MATRIX_TYPE
  };
  return Bits[Type];
}

/// m16n8k16
static bool parseShape(ArrayRef<StringRef> Words, unsigned &M, unsigned &N,
                       unsigned &K) {
  for (StringRef Word : Words)
    if (Word.consume_front("m") && !Word.consumeInteger(10, M) &&
        Word.consume_front("n") && !Word.consumeInteger(10, N) &&
        Word.consume_front("k") && !Word.consumeInteger(10, K) && Word.empty())
      return true;
  return false;
}

/// d a b c; d c of f16; a b; or a alone, which then is b's too.
static bool assignTypes(ArrayRef<unsigned> Types, ct_cpu_mma &Mma) {
  auto MayBeHalf = [](unsigned T) {
    return T == CT_MATRIX_F16 || T == CT_MATRIX_F32;
  };
  if (Types.size() == 4) {
    Mma.d = Types[0], Mma.a = Types[1], Mma.b = Types[2], Mma.c = Types[3];
    return true;
  }
  if (Types.empty() || Types.size() > 2)
    return false;
  if (Types.size() == 2 && MayBeHalf(Types[0]) && MayBeHalf(Types[1])) {
    Mma.d = Types[0], Mma.c = Types[1], Mma.a = Mma.b = CT_MATRIX_F16;
    return true;
  }
  Mma.a = Types.front(), Mma.b = Types.back();
  Mma.c = Mma.d = Mma.a == CT_MATRIX_F64 ? CT_MATRIX_F64
                  : Mma.a >= CT_MATRIX_S8 && Mma.a <= CT_MATRIX_B1
                      ? CT_MATRIX_S32
                      : CT_MATRIX_F32;
  return true;
}

static bool isQuads(const ct_cpu_mma &Mma) {
  return Mma.a == CT_MATRIX_F16 && Mma.m == 8 && Mma.k == 4;
}

static void countWords(ct_cpu_mma &Mma, bool IsWmma) {
  auto Words = [](unsigned Rows, unsigned Columns, unsigned Type) {
    return Rows * Columns * bitsOf(Type) / 1024;
  };
  Mma.a_words = Words(Mma.m, Mma.k, Mma.a);
  Mma.b_words = Words(Mma.k, Mma.n, Mma.b);
  Mma.c_words = Words(Mma.m, Mma.n, Mma.c);
  Mma.d_words = Words(Mma.m, Mma.n, Mma.d);
  if (IsWmma && Mma.a == CT_MATRIX_F16)
    Mma.a_words = Mma.b_words = 8;
  if (isQuads(Mma)) {
    Mma.a_words = Mma.b_words = 2;
    Mma.c_words = Mma.c == CT_MATRIX_F16 ? 4 : 8;
    Mma.d_words = Mma.d == CT_MATRIX_F16 ? 4 : 8;
  }
}

bool describeMma(ArrayRef<StringRef> Words, bool IsWmma, ct_cpu_mma &Mma) {
  SmallVector<unsigned> Types;
  SmallVector<StringRef> Layouts;
  Mma = {};
  Mma.flags = IsWmma ? CT_MMA_WMMA : 0;
  for (StringRef Word : Words) {
    if (unsigned Type = typeOf(Word); Type != NoType)
      Types.push_back(Type);
    else if (Word == "row" || Word == "col")
      Layouts.push_back(Word);
    else if (Word == "satfinite")
      Mma.flags |= CT_MMA_SATURATE;
    else if (Word == "and")
      Mma.flags |= CT_MMA_AND;
    else if (!is_contained(
                 {"sync", "aligned", "mma", "wmma", "xor", "popc", "rn"},
                 Word) &&
             !parseShape(Word, Mma.m, Mma.n, Mma.k))
      return false;
  }
  if (!parseShape(Words, Mma.m, Mma.n, Mma.k) || !assignTypes(Types, Mma) ||
      Layouts.size() != 2)
    return false;
  Mma.flags |= Layouts[0] == "col" ? CT_MMA_A_COLUMN : 0;
  Mma.flags |= Layouts[1] == "row" ? CT_MMA_B_ROW : 0;
  countWords(Mma, IsWmma);
  auto IsGood = [](unsigned N) { return N && N <= CT_MATRIX_WORDS; };
  return IsGood(Mma.a_words) && IsGood(Mma.b_words) && IsGood(Mma.c_words) &&
         IsGood(Mma.d_words);
}

/// "load" or "store", the fragment, layout, shape and type in any order.
bool describeTile(ArrayRef<StringRef> Words, MatrixTile &Tile) {
  const StringRef *Verb =
      find_if(Words, [](StringRef W) { return W == "load" || W == "store"; });
  unsigned M, N, K;
  if (Verb == Words.end() || Verb + 1 == Words.end() ||
      !parseShape(Words, M, N, K))
    return false;
  StringRef Fragment = Verb[1];
  bool IsRow = is_contained(Words, "row");
  Tile.Type = NoType;
  for (StringRef Word : Words)
    if (unsigned Type = typeOf(Word); Type != NoType)
      Tile.Type = Type;
  if (Tile.Type == NoType)
    return false;
  Tile.Lines = Fragment == "b" ? N : M;
  Tile.Inner = Fragment == "a" || Fragment == "b" ? K : N;
  Tile.Contiguous = IsRow != (Fragment == "b");
  Tile.Stride = Tile.Contiguous ? Tile.Inner : Tile.Lines;
  Tile.Words = Tile.Lines * Tile.Inner * bitsOf(Tile.Type) / 1024;
  if (Tile.Type == CT_MATRIX_F16 && (Fragment == "a" || Fragment == "b"))
    Tile.Words = 8;
  return Tile.Words && Tile.Words <= CT_MATRIX_WORDS;
}

unsigned countTiles(ArrayRef<StringRef> Words) {
  if (!is_contained(Words, "m8n8") || !is_contained(Words, "b16"))
    return 0;
  for (StringRef Word : Words)
    if (Word == "x1" || Word == "x2" || Word == "x4")
      return Word[1] - '0';
  return 0;
}

Value *newRegisters(IRBuilderBase &B, unsigned Count) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> EntryB(&Entry, Entry.begin());
  AllocaInst *Memory =
      EntryB.CreateAlloca(ArrayType::get(B.getInt32Ty(), Count));
  Memory->setAlignment(Align(8));
  return Memory;
}

static unsigned wordsOf(Type *T) {
  return std::max<unsigned>(1, T->getPrimitiveSizeInBits() / 32);
}

static Value *registerAt(IRBuilderBase &B, Value *Memory, unsigned Word) {
  return B.CreateConstGEP1_64(B.getInt32Ty(), Memory, Word);
}

Value *packRegisters(IRBuilderBase &B, ArrayRef<Value *> Registers) {
  unsigned Count = 0;
  for (Value *V : Registers) {
    if (!V)
      return nullptr;
    Count += wordsOf(V->getType());
  }
  Value *Memory = newRegisters(B, Count);
  Count = 0;
  for (Value *V : Registers) {
    unsigned Words = wordsOf(V->getType());
    Value *Bits = convertBits(B, V, B.getIntNTy(32 * Words));
    B.CreateAlignedStore(Bits, registerAt(B, Memory, Count), Align(4));
    Count += Words;
  }
  return Memory;
}

SmallVector<Value *> unpackRegisters(IRBuilderBase &B, Value *Memory,
                                     ArrayRef<Type *> Types) {
  SmallVector<Value *> Registers;
  unsigned Word = 0;
  for (Type *T : Types) {
    Registers.push_back(
        B.CreateAlignedLoad(T, registerAt(B, Memory, Word), Align(4)));
    Word += wordsOf(T);
  }
  return Registers;
}

Value *emitMma(IRBuilderBase &B, const ct_cpu_mma &Mma, Value *A,
               Value *BFragment, Value *C) {
  Module &M = *B.GetInsertBlock()->getModule();
  auto *Data = ConstantDataArray::get(
      M.getContext(), ArrayRef(&Mma.m, sizeof(Mma) / sizeof(uint32_t)));
  auto *Description = new GlobalVariable(
      M, Data->getType(), true, GlobalValue::PrivateLinkage, Data, "ct.mma");
  Value *D = newRegisters(B, Mma.d_words);
  return callRuntime(B, RuntimePrefix + "mma",
                     {Description, D, A, BFragment, C})
             ? D
             : nullptr;
}

Value *emitTileLoad(IRBuilderBase &B, const MatrixTile &Tile, Value *From,
                    Value *Stride) {
  Value *Memory = newRegisters(B, Tile.Words);
  callRuntime(B, RuntimePrefix + "wmma_load",
              {B.getInt32(Tile.Lines), B.getInt32(Tile.Inner),
               B.getInt32(Tile.Type), B.getInt32(Tile.Contiguous), Stride, From,
               B.getInt32(Tile.Words), Memory});
  return Memory;
}

void emitTileStore(IRBuilderBase &B, const MatrixTile &Tile, Value *To,
                   Value *Stride, Value *Memory) {
  callRuntime(B, RuntimePrefix + "wmma_store",
              {B.getInt32(Tile.Lines), B.getInt32(Tile.Inner),
               B.getInt32(Tile.Type), B.getInt32(Tile.Contiguous), Stride, To,
               B.getInt32(Tile.Words), Memory});
}

} // namespace ct
