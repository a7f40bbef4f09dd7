/* SPDX-License-Identifier: Apache-2.0 */
/* Memory accesses in inline PTX. */
#include "asm_access.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

/// One PTX statement without predicate: its opcode, "" if it has none.
static StringRef opcode(StringRef Statement) {
  Statement = Statement.ltrim(" \t\n\r{");
  if (Statement.starts_with("@"))
    Statement = Statement.drop_until([](char C) { return C == ' ' || C == '\t'; }).ltrim(" \t");
  return Statement.take_until([](char C) { return C == ' ' || C == '\t' || C == '\n' || C == '$'; });
}

static void forEachOpcode(StringRef Text, function_ref<bool(StringRef)> Visit) {
  while (!Text.empty()) {
    auto [Statement, Rest] = Text.split(';');
    if (!Visit(opcode(Statement)))
      return;
    Text = Rest;
  }
}

static bool namesOtherSpace(StringRef Opcode) {
  return Opcode.contains(".shared") || Opcode.contains(".local") || Opcode.contains(".param") ||
         Opcode.contains(".const");
}

static bool accessesMemory(StringRef Opcode) {
  static const char *const Prefixes[] = {"ld.",   "ldu.",  "st.",    "atom.",  "red.",
                                         "tex.",  "tld4.", "suld.",  "sust.",  "sured.",
                                         "wmma.load", "wmma.store", "multimem.", "cp.async.", "cp.reduce."};
  if (Opcode.contains("commit") || Opcode.contains("wait") || Opcode.contains("mbarrier.arrive"))
    return false;
  return any_of(Prefixes, [&](const char *Prefix) { return Opcode.starts_with(Prefix); });
}

std::string ct::globalAccessInAsm(StringRef Text, bool MayBeGlobal) {
  std::string Found;
  forEachOpcode(Text, [&](StringRef Opcode) {
    if (!accessesMemory(Opcode))
      return true;
    bool Texture = Opcode.starts_with("t") || Opcode.starts_with("su");
    if (!Opcode.contains(".global") && !Texture && (namesOtherSpace(Opcode) || !MayBeGlobal))
      return true;
    Found = Opcode.str();
    return false;
  });
  return Found;
}

bool ct::exitsInAsm(StringRef Text) {
  bool Exits = false;
  forEachOpcode(Text, [&](StringRef Opcode) {
    Exits |= Opcode == "exit";
    return !Exits;
  });
  return Exits;
}

/// The only statement of Text, "" if there are several or it is predicated.
static StringRef onlyStatement(StringRef Text) {
  StringRef Only;
  while (!Text.empty()) {
    auto [Statement, Rest] = Text.split(';');
    Statement = Statement.trim(" \t\n\r{}");
    if (!Statement.empty() && (!Only.empty() || Statement.starts_with("@")))
      return "";
    if (!Statement.empty())
      Only = Statement;
    Text = Rest;
  }
  return Only;
}

/// The argument that stands in "[$N]", null if the address is anything else.
static Value *addressOperand(const CallBase &Call, const InlineAsm &Asm, StringRef Statement) {
  StringRef Address = Statement.split('[').second.split(']').first.trim();
  unsigned Operand;
  if (!Address.consume_front("$") || Address.getAsInteger(10, Operand))
    return nullptr;
  unsigned DirectOutputs = 0;
  for (const InlineAsm::ConstraintInfo &Constraint : Asm.ParseConstraints())
    DirectOutputs += Constraint.Type == InlineAsm::isOutput && !Constraint.isIndirect;
  if (Operand < DirectOutputs || Operand - DirectOutputs >= Call.arg_size())
    return nullptr;
  Value *V = Call.getArgOperand(Operand - DirectOutputs);
  return V->getType()->isPointerTy() || V->getType()->isIntegerTy(64) ? V : nullptr;
}

/// The type that the words of an opcode name: v4, f32 of ld.global.v4.f32.
static Type *accessedType(LLVMContext &C, ArrayRef<StringRef> Words) {
  unsigned Length = 1, Bits;
  StringRef Last = Words.back();
  char Kind = Last.front();
  if (Last == "f16x2" || Last == "bf16x2")
    return FixedVectorType::get(Type::getHalfTy(C), 2);
  Last = Last.drop_while([](char L) { return L >= 'a' && L <= 'z'; });
  if (Last.getAsInteger(10, Bits) || Bits % 8 != 0 || Bits == 0 || Bits > 128)
    return nullptr;
  for (StringRef Word : Words)
    if (Word == "v2" || Word == "v4" || Word == "v8")
      Length = Word[1] - '0';
  Type *Scalar = IntegerType::get(C, Bits);
  if (Kind == 'f')
    Scalar = Bits == 16 ? Type::getHalfTy(C) : Bits == 32 ? Type::getFloatTy(C) : Type::getDoubleTy(C);
  return Length == 1 ? Scalar : FixedVectorType::get(Scalar, Length);
}

static bool operationOf(ArrayRef<StringRef> Words, ct::Operation &Op) {
  if (Words[0] == "ld" || Words[0] == "ldu")
    Op = ct::OP_LOAD;
  else if (Words[0] == "st")
    Op = ct::OP_STORE;
  else if (Words[0] == "atom" || Words[0] == "red")
    Op = ct::OP_ATOMIC_OTHER;
  else
    return false;
  for (StringRef Word : Words.drop_front())
    if (Op == ct::OP_ATOMIC_OTHER)
      Op = ct::atomicOperation(Word);
  return true;
}

bool ct::describeAsm(const CallBase &Call, const InlineAsm &Asm, AsmAccess &Access) {
  StringRef Statement = onlyStatement(Asm.getAsmString());
  SmallVector<StringRef, 8> Words;
  opcode(Statement).split(Words, '.');
  if (Words.size() < 2 || namesOtherSpace(opcode(Statement)) || !operationOf(Words, Access.Op))
    return false;
  Access.Address = addressOperand(Call, Asm, Statement);
  Access.Accessed = accessedType(Call.getContext(), Words);
  Access.NamesGlobal = is_contained(Words, "global");
  return Access.Address && Access.Accessed;
}
