/* SPDX-License-Identifier: Apache-2.0 */
/* Operands and registers of inline PTX, followed through its text. */
#include "llvm-pass/sites/ptx_state.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include <cudatrace/unit.h>

using namespace llvm;

ct::PtxState::PtxState(CallBase &Call, const InlineAsm &Asm) : Call(Call) {
  InlineAsm::ConstraintInfoVector Constraints = Asm.ParseConstraints();
  for (const InlineAsm::ConstraintInfo &C : Constraints) {
    if (C.Type == InlineAsm::isClobber)
      break;
    bool IsOutput = C.Type == InlineAsm::isOutput && !C.isIndirect;
    Outputs += IsOutput;
    TiedInput.push_back(IsOutput ? C.MatchingInput : -1);
    unsigned Tied;
    bool IsTied = !IsOutput && !C.Codes.empty() &&
                  !StringRef(C.Codes[0]).getAsInteger(10, Tied);
    TiedOutput.push_back(IsOutput ? int(TiedOutput.size())
                         : IsTied ? int(Tied)
                                  : -1);
  }
  Written.resize(Outputs);
  LastWrite.resize(Outputs);
}

/// The output that shares the operand's register, -1 if none.
int ct::PtxState::output(unsigned Operand) const {
  return Operand < TiedOutput.size() ? TiedOutput[Operand] : -1;
}

/// Returns the value that an operand holds when the text begins, null if none.
Value *ct::PtxState::input(unsigned Operand) const {
  if (Operand >= TiedOutput.size())
    return nullptr;
  if (Operand < Outputs) {
    if (TiedInput[Operand] < 0)
      return nullptr;
    Operand = TiedInput[Operand];
  }
  return Operand - Outputs < Call.arg_size()
             ? Call.getArgOperand(Operand - Outputs)
             : nullptr;
}

ct::SiteValue::Element ct::PtxState::result(unsigned Output) const {
  return {&Call, Call.getType()->isStructTy() ? int(Output) : -1};
}

std::optional<ct::PtxTerm> ct::PtxState::named(StringRef Name) const {
  PtxTerm Term;
  if (std::optional<int64_t> N = ptxInteger(Name)) {
    Term.Offset = *N;
    return Term;
  }
  if (std::optional<unsigned> Operand = ptxPlaceholder(Name)) {
    int Output = output(*Operand);
    Value *V = Output >= 0 && Written[Output] ? nullptr : input(*Operand);
    if (!V)
      return std::nullopt;
    auto *Constant = dyn_cast<ConstantInt>(V);
    if (Constant && Constant->getBitWidth() <= 64)
      Term.Offset = Constant->getSExtValue();
    else
      Term.Base = V;
    return Term;
  }
  auto Known = Registers.find(Name);
  if (Known == Registers.end())
    return std::nullopt;
  return Known->second;
}

std::optional<ct::PtxTerm> ct::PtxState::term(const PtxOperand &Operand) const {
  bool IsPlain = Operand.Kind == PtxOperand::Name && !Operand.Negated &&
                 Operand.Second.empty();
  return IsPlain ? named(Operand.Text) : std::nullopt;
}

static std::optional<ct::PtxTerm> sum(const std::optional<ct::PtxTerm> &A,
                                      const std::optional<ct::PtxTerm> &B) {
  if (!A || !B)
    return std::nullopt;
  if (!A->Base && B->Base)
    return sum(B, A);
  if (B->Index || (B->Base && (A->Index || B->Space)))
    return std::nullopt;
  ct::PtxTerm Sum = *A;
  if (B->Base)
    Sum.Index = B->Base;
  Sum.Offset += B->Offset;
  return Sum;
}

std::optional<ct::PtxTerm>
ct::PtxState::address(const PtxOperand &Operand) const {
  if (Operand.Kind != PtxOperand::Memory)
    return std::nullopt;
  std::optional<PtxTerm> Base = named(Operand.Text);
  return Operand.Added.empty() ? Base : sum(Base, named(Operand.Added));
}

bool ct::PtxState::guard(StringRef Predicate, bool Negate, Guard &Out) const {
  if (std::optional<unsigned> Operand = ptxPlaceholder(Predicate)) {
    std::optional<PtxTerm> Term = named(Predicate);
    if (!Term || !Term->Base || !Term->Base->getType()->isIntegerTy(1))
      return false;
    Out = {Term->Base, nullptr, Negate ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE,
           -1, 0};
    return true;
  }
  auto Known = Predicates.find(Predicate);
  if (Known == Predicates.end())
    return false;
  const Comparison &C = Known->second;
  Out.Left = C.Left.Base;
  Out.Right = C.Right.Base ? C.Right.Base
                           : ConstantInt::getSigned(C.Left.Base->getType(),
                                                    C.Right.Offset);
  Out.Predicate =
      Negate ? CmpInst::getInversePredicate(C.Predicate) : C.Predicate;
  return true;
}

std::optional<ct::SiteValue::Element>
ct::PtxState::source(StringRef Text, size_t Number) const {
  std::optional<unsigned> Operand = ptxPlaceholder(Text);
  int Output = Operand ? output(*Operand) : -1;
  if (Output >= 0 && Written[Output]) { // by an earlier instruction
    if (LastWrite[Output] >= Number)
      return std::nullopt;
    return result(Output);
  }
  std::optional<PtxTerm> Term = named(Text);
  if (!Term || Term->Index || (Term->Base && Term->Offset))
    return std::nullopt;
  Value *V = Term->Base
                 ? Term->Base
                 : ConstantInt::getSigned(Type::getInt64Ty(Call.getContext()),
                                          Term->Offset);
  return SiteValue::Element{V, -1};
}

std::optional<ct::SiteValue::Element>
ct::PtxState::destination(StringRef Text, size_t Number) const {
  std::optional<unsigned> Operand = ptxPlaceholder(Text);
  if (!Operand || *Operand >= Outputs || LastWrite[*Operand] != Number)
    return std::nullopt;
  return result(*Operand);
}

/// The registers that an instruction writes: its first operand, if that is no
/// address.
static std::vector<std::string> destinations(const ct::PtxInstruction &I) {
  if (I.Operands.empty() || I.Operands[0].Kind == ct::PtxOperand::Memory)
    return {};
  std::vector<std::string> Names = I.Operands[0].elements();
  if (!I.Operands[0].Second.empty())
    Names.push_back(I.Operands[0].Second);
  return Names;
}

void ct::PtxState::findLastWrites(ArrayRef<PtxInstruction> Instructions) {
  for (size_t N = 0; N < Instructions.size(); N++)
    for (const std::string &Name : destinations(Instructions[N]))
      if (std::optional<unsigned> Operand = ptxPlaceholder(Name))
        if (output(*Operand) >= 0)
          LastWrite[output(*Operand)] = N;
}

void ct::PtxState::forget(StringRef Destination) {
  Registers.erase(Destination);
  Predicates.erase(Destination);
  if (std::optional<unsigned> Operand = ptxPlaceholder(Destination))
    if (output(*Operand) >= 0)
      Written[output(*Operand)] = true;
}

static std::optional<CmpInst::Predicate> comparison(StringRef Word,
                                                    bool Signed) {
  CmpInst::Predicate P = StringSwitch<CmpInst::Predicate>(Word)
                             .Case("eq", CmpInst::ICMP_EQ)
                             .Case("ne", CmpInst::ICMP_NE)
                             .Cases({"lt", "lo"}, CmpInst::ICMP_ULT)
                             .Cases({"le", "ls"}, CmpInst::ICMP_ULE)
                             .Cases({"gt", "hi"}, CmpInst::ICMP_UGT)
                             .Cases({"ge", "hs"}, CmpInst::ICMP_UGE)
                             .Default(CmpInst::BAD_ICMP_PREDICATE);
  if (P == CmpInst::BAD_ICMP_PREDICATE)
    return std::nullopt;
  return Signed && !ICmpInst::isEquality(P) ? ICmpInst::getSignedPredicate(P)
                                            : P;
}

/// setp.op.type p[|q], a, b
void ct::PtxState::compare(const PtxInstruction &I) {
  if (I.Modifiers.size() != 2 || I.Operands.size() != 3 ||
      I.Modifiers[1][0] == 'f')
    return;
  std::optional<CmpInst::Predicate> P =
      comparison(I.Modifiers[0], I.Modifiers[1][0] == 's');
  std::optional<PtxTerm> Left = term(I.Operands[1]),
                         Right = term(I.Operands[2]);
  if (!P || !Left || !Right)
    return;
  if (!Left->Base) {
    std::swap(Left, Right);
    P = CmpInst::getSwappedPredicate(*P);
  }
  bool Simple = Left->Base && Left->Base->getType()->isIntegerTy() &&
                !Left->Index && !Left->Offset && !Right->Index &&
                !(Right->Base && Right->Offset);
  if (!Simple ||
      (Right->Base && Right->Base->getType() != Left->Base->getType()))
    return;
  std::vector<std::string> Names = destinations(I);
  for (size_t N = 0; N < Names.size(); N++)
    Predicates[Names[N]] = {N ? CmpInst::getInversePredicate(*P) : *P, *Left,
                            *Right};
}

/// The value of the first operand after mov, cvta, add or sub.
std::optional<ct::PtxTerm> ct::PtxState::moved(const PtxInstruction &I) const {
  if (I.Opcode == "mov" && I.Operands.size() == 2)
    return term(I.Operands[1]);
  if (I.Opcode == "add" && I.Operands.size() == 3 && I.Modifiers.size() == 1)
    return sum(term(I.Operands[1]), term(I.Operands[2]));
  if (I.Opcode == "sub" && I.Operands.size() == 3 && I.Modifiers.size() == 1) {
    std::optional<PtxTerm> Right = term(I.Operands[2]);
    if (!Right || Right->Base)
      return std::nullopt;
    Right->Offset = -Right->Offset;
    return sum(term(I.Operands[1]), Right);
  }
  if (I.Opcode != "cvta" || I.Operands.size() != 2)
    return std::nullopt;
  std::optional<PtxTerm> Term = term(I.Operands[1]);
  if (!Term)
    return std::nullopt;
  Term->Space = I.hasScoped("global")   ? CT_SPACE_GLOBAL
                : I.hasScoped("shared") ? CT_SPACE_SHARED
                : I.hasScoped("local")  ? CT_SPACE_LOCAL
                : I.hasScoped("const")  ? CT_SPACE_CONSTANT
                                        : 0;
  Term->InSpace = !I.has("to");
  return Term;
}

void ct::PtxState::execute(const PtxInstruction &I) {
  std::vector<std::string> Names = destinations(I);
  std::optional<PtxTerm> Term = I.Predicate.empty() ? moved(I) : std::nullopt;
  bool Compares = I.Opcode == "setp" && I.Predicate.empty();
  for (const std::string &Name : Names)
    forget(Name);
  if (Compares)
    compare(I);
  if (Term && Names.size() == 1 && !ptxPlaceholder(Names[0]))
    Registers[Names[0]] = *Term;
}
