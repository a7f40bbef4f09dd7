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

/// What an operand holds when the text begins, null if nothing.
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

static std::optional<int64_t> number(StringRef Text) {
  int64_t N;
  uint64_t Unsigned;
  Text.consume_back("U") || Text.consume_back("u");
  if (!Text.getAsInteger(0, N))
    return N;
  if (!Text.getAsInteger(0, Unsigned))
    return int64_t(Unsigned);
  return std::nullopt;
}

std::optional<ct::PtxTerm> ct::PtxState::term(StringRef Text) const {
  PtxTerm Term;
  if (std::optional<int64_t> N = number(Text)) {
    Term.Offset = *N;
    return Term;
  }
  if (std::optional<unsigned> Operand = ptxPlaceholder(Text)) {
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
  auto Known = Registers.find(Text);
  if (Known == Registers.end())
    return std::nullopt;
  return Known->second;
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

std::optional<ct::PtxTerm> ct::PtxState::address(StringRef Text) const {
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return std::nullopt;
  Text = Text.trim();
  size_t Sign = Text.find_first_of("+-", 1);
  std::optional<PtxTerm> Term = term(Text.take_front(Sign).trim());
  if (Sign == StringRef::npos)
    return Term;
  StringRef Rest = Text.drop_front(Sign).trim();
  Rest.consume_front("+");
  return sum(Term, term(Rest.trim()));
}

bool ct::PtxState::guard(StringRef Predicate, bool Negate, Guard &Out) const {
  if (std::optional<unsigned> Operand = ptxPlaceholder(Predicate)) {
    std::optional<PtxTerm> Term = term(Predicate);
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
ct::PtxState::source(StringRef Text) const {
  std::optional<unsigned> Operand = ptxPlaceholder(Text);
  if (Operand && output(*Operand) >= 0 &&
      Written[output(*Operand)]) // by an earlier statement
    return std::nullopt;
  std::optional<PtxTerm> Term = term(Text);
  if (!Term || Term->Index || (Term->Base && Term->Offset))
    return std::nullopt;
  Value *V = Term->Base
                 ? Term->Base
                 : ConstantInt::getSigned(Type::getInt64Ty(Call.getContext()),
                                          Term->Offset);
  return SiteValue::Element{V, -1};
}

std::optional<ct::SiteValue::Element>
ct::PtxState::destination(StringRef Text, size_t Statement) const {
  std::optional<unsigned> Operand = ptxPlaceholder(Text);
  if (!Operand || *Operand >= Outputs || LastWrite[*Operand] != Statement)
    return std::nullopt;
  return result(*Operand);
}

/// The registers that a statement writes: its first operand, if that is no
/// address.
static std::vector<std::string> destinations(const ct::PtxStatement &S) {
  if (S.Operands.empty() || S.Operands[0][0] == '[')
    return {};
  std::vector<std::string> Names;
  for (StringRef Element : ct::ptxElements(S.Operands[0])) {
    auto [First, Second] = Element.split('|');
    Names.push_back(First.trim().str());
    if (!Second.empty())
      Names.push_back(Second.trim().str());
  }
  return Names;
}

void ct::PtxState::findLastWrites(ArrayRef<PtxStatement> Statements) {
  for (size_t I = 0; I < Statements.size(); I++)
    for (const std::string &Name : destinations(Statements[I]))
      if (std::optional<unsigned> Operand = ptxPlaceholder(Name))
        if (output(*Operand) >= 0)
          LastWrite[output(*Operand)] = I;
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
void ct::PtxState::compare(const PtxStatement &S) {
  if (S.Words.size() != 3 || S.Operands.size() != 3 || S.Words[2][0] == 'f')
    return;
  std::optional<CmpInst::Predicate> P =
      comparison(S.Words[1], S.Words[2][0] == 's');
  std::optional<PtxTerm> Left = term(S.Operands[1]),
                         Right = term(S.Operands[2]);
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
  std::vector<std::string> Names = destinations(S);
  for (size_t I = 0; I < Names.size(); I++)
    Predicates[Names[I]] = {I ? CmpInst::getInversePredicate(*P) : *P, *Left,
                            *Right};
}

/// The value of the first operand after mov, cvta, add or sub.
std::optional<ct::PtxTerm> ct::PtxState::moved(const PtxStatement &S) const {
  if (S.Words[0] == "mov" && S.Operands.size() == 2)
    return term(S.Operands[1]);
  if (S.Words[0] == "add" && S.Operands.size() == 3 && S.Words.size() == 2)
    return sum(term(S.Operands[1]), term(S.Operands[2]));
  if (S.Words[0] == "sub" && S.Operands.size() == 3 && S.Words.size() == 2) {
    std::optional<PtxTerm> Right = term(S.Operands[2]);
    if (!Right || Right->Base)
      return std::nullopt;
    Right->Offset = -Right->Offset;
    return sum(term(S.Operands[1]), Right);
  }
  if (S.Words[0] != "cvta" || S.Operands.size() != 2)
    return std::nullopt;
  std::optional<PtxTerm> Term = term(S.Operands[1]);
  if (!Term)
    return std::nullopt;
  Term->Space = S.hasScoped("global")   ? CT_SPACE_GLOBAL
                : S.hasScoped("shared") ? CT_SPACE_SHARED
                : S.hasScoped("local")  ? CT_SPACE_LOCAL
                : S.hasScoped("const")  ? CT_SPACE_CONSTANT
                                        : 0;
  Term->InSpace = !S.has("to");
  return Term;
}

void ct::PtxState::execute(const PtxStatement &S) {
  std::vector<std::string> Names = destinations(S);
  std::optional<PtxTerm> Term = S.Predicate.empty() ? moved(S) : std::nullopt;
  bool Compares = S.Words[0] == "setp" && S.Predicate.empty();
  for (const std::string &Name : Names)
    forget(Name);
  if (Compares)
    compare(S);
  if (Term && Names.size() == 1 && !ptxPlaceholder(Names[0]))
    Registers[Names[0]] = *Term;
}
