/* SPDX-License-Identifier: Apache-2.0 */
/* Inline PTX: operands, registers, predicates, and the table of opcodes. */
#include "cpu-target/retarget/ptx/ptx.h"
#include "cpu-target/retarget/numbers/denormals.h"
#include "cpu-target/retarget/ptx/modifiers.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ct {

PtxType PtxType::parse(StringRef Text) {
  PtxType T;
  if (Text == "pred")
    return {'p', 1, 1, false};
  T.Brain = Text.consume_front("b") && Text.starts_with("f");
  if (!T.Brain && !Text.empty() && isDigit(Text[0]))
    T.Kind = 'b';
  else if (Text.consume_front("f"))
    T.Kind = 'f';
  else if (Text.consume_front("u"))
    T.Kind = 'u';
  else if (Text.consume_front("s"))
    T.Kind = 's';
  auto [Bits, Lanes] = Text.split('x');
  if (Bits.getAsInteger(10, T.Bits) ||
      (!Lanes.empty() && Lanes.getAsInteger(10, T.Lanes)))
    return {};
  bool IsSize = T.Bits == 8 || T.Bits == 16 || T.Bits == 32 || T.Bits == 64 ||
                (T.Bits == 128 && T.Kind == 'b');
  return IsSize && T.Lanes <= 2 ? T : PtxType();
}

llvm::Type *PtxType::compute(LLVMContext &C) const {
  llvm::Type *T;
  if (!isFloat())
    T = llvm::Type::getIntNTy(C, Bits);
  else if (Brain || Bits == 32)
    T = llvm::Type::getFloatTy(C);
  else
    T = Bits == 16 ? llvm::Type::getHalfTy(C) : llvm::Type::getDoubleTy(C);
  return Lanes > 1 ? FixedVectorType::get(T, Lanes) : T;
}

PtxLowering::PtxLowering(CallInst &Call)
    : Call(Call), B(&Call), Anchor(&Call), Carry(B.getInt32(0)) {
  keepDenormals(B, Call);
  bindOperands();
}

/// Outputs come first, then inputs; a tied input is the initial value of its
/// output.
void PtxLowering::bindOperands() {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  unsigned Number = 0, Argument = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm->ParseConstraints()) {
    std::string Name = "$" + std::to_string(Number);
    if (C.Type == InlineAsm::isOutput) {
      Outputs.push_back(Name);
      ++Number;
    } else if (C.Type == InlineAsm::isInput) {
      Value *V = Call.getArgOperand(Argument++);
      if (!C.Codes.empty() && isDigit(C.Codes[0][0]))
        Registers["$" + C.Codes[0]] = V;
      Registers[Name] = V;
      ++Number;
    }
  }
}

Value *PtxLowering::immediate(StringRef Text, llvm::Type *T) {
  uint64_t Bits;
  int64_t Number;
  if (Text.starts_with_insensitive("0f") &&
      !Text.drop_front(2).getAsInteger(16, Bits))
    return convertBits(
        B, ConstantFP::get(B.getFloatTy(), bit_cast<float>(uint32_t(Bits))), T);
  if (Text.starts_with_insensitive("0d") &&
      !Text.drop_front(2).getAsInteger(16, Bits))
    return convertBits(
        B, ConstantFP::get(B.getDoubleTy(), bit_cast<double>(Bits)), T);
  if (Text == "WARP_SZ")
    Text = "32";
  Text.consume_back("U");
  if (!Text.getAsInteger(0, Number))
    Bits = Number;
  else if (Text.getAsInteger(0, Bits))
    return nullptr;
  return T->isPointerTy()   ? convertBits(B, B.getInt64(Bits), T)
         : T->isIntegerTy() ? ConstantInt::get(T, APInt(64, Bits).zextOrTrunc(
                                                      T->getIntegerBitWidth()))
                            : convertBits(B, B.getInt64(Bits), T);
}

Value *PtxLowering::readBits(StringRef Name, llvm::Type *T) {
  if (auto It = Registers.find(Name); It != Registers.end())
    return convertBits(B, It->second, T);
  if (Name.starts_with("%")) {
    Value *V = readSpecialRegister(B, Name.drop_front());
    return V ? convertBits(B, V, T) : nullptr;
  }
  return immediate(Name, T);
}

/// bf16 is the upper half of a float.
Value *PtxLowering::unpackBrain(Value *Bits, PtxType T) {
  llvm::Type *Short = B.getInt16Ty(), *Word = B.getInt32Ty();
  if (T.Lanes > 1) {
    Short = FixedVectorType::get(Short, T.Lanes);
    Word = FixedVectorType::get(Word, T.Lanes);
  }
  Value *Wide = B.CreateZExt(B.CreateBitCast(Bits, Short), Word);
  return B.CreateBitCast(B.CreateShl(Wide, ConstantInt::get(Word, 16)),
                         T.compute(B.getContext()));
}

/// Round to nearest even by adding half of what is cut; NaN stays NaN.
Value *PtxLowering::packBrain(Value *V) {
  llvm::Type *Word = V->getType()->getWithNewType(B.getInt32Ty());
  llvm::Type *Short = V->getType()->getWithNewType(B.getInt16Ty());
  Value *Bits = B.CreateBitCast(V, Word);
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, 16), 1);
  Value *Rounded =
      B.CreateAdd(B.CreateAdd(Bits, ConstantInt::get(Word, 0x7fff)), Odd);
  Value *IsNan = B.CreateFCmpUNO(V, V);
  Rounded = B.CreateSelect(IsNan, ConstantInt::get(Word, 0x7fffffff), Rounded);
  return B.CreateTrunc(B.CreateLShr(Rounded, 16), Short);
}

Value *PtxLowering::read(StringRef Name, PtxType T) {
  if (!T.Brain)
    return readBits(Name, T.compute(B.getContext()));
  Value *Bits = readBits(Name, B.getIntNTy(16 * T.Lanes));
  return Bits ? unpackBrain(Bits, T) : nullptr;
}

Value *PtxLowering::operand(unsigned Index, PtxType T) {
  if (Index >= count() || I->Operands[Index].Kind != PtxOperand::Name || !T ||
      I->Operands[Index].Negated)
    return nullptr;
  Value *V = read(I->Operands[Index].Text, T);
  return V && flushes(T) ? flushSubnormal(B, V) : V;
}

Value *PtxLowering::operandBits(unsigned Index, llvm::Type *T) {
  if (Index >= count() || I->Operands[Index].Kind != PtxOperand::Name)
    return nullptr;
  return readBits(I->Operands[Index].Text, T);
}

Value *PtxLowering::predicate(unsigned Index) {
  Value *V = operandBits(Index, B.getInt1Ty());
  return V && I->Operands[Index].Negated ? B.CreateNot(V) : V;
}

bool PtxLowering::write(StringRef Name, Value *V) {
  if (!V)
    return false;
  if (Name != "_")
    Registers[Name.str()] = V;
  return true;
}

bool PtxLowering::result(Value *V, PtxType T) {
  if (!V || I->Operands.empty())
    return false;
  if (T.Brain && V->getType()->isFPOrFPVectorTy())
    V = packBrain(V);
  return write(I->Operands[0].Text, V);
}

bool PtxLowering::runtimeResult(const Twine &Name,
                                ArrayRef<Value *> Arguments) {
  if (is_contained(Arguments, nullptr))
    return false;
  return result(callRuntime(B, IntrinsicPrefix + Name, Arguments));
}

PtxLowering::Handler PtxLowering::findHandler(StringRef Opcode) {
  using P = PtxLowering;
  static constexpr Entry Table[] = {
      {"abs", &P::lowerNegAbs},
      {"activemask", &P::lowerActivemask},
      {"add", &P::lowerAddSub},
      {"addc", &P::lowerAddSub},
      {"and", &P::lowerLogic},
      {"applypriority", &P::lowerNothing},
      {"atom", &P::lowerAtomic},
      {"bar", &P::lowerBarrier},
      {"barrier", &P::lowerBarrier},
      {"bfe", &P::lowerBitField},
      {"bfi", &P::lowerBitField},
      {"bfind", &P::lowerCount},
      {"bmsk", &P::lowerBitMask},
      {"brev", &P::lowerCount},
      {"brkpt", &P::lowerNothing},
      {"clz", &P::lowerCount},
      {"cnot", &P::lowerLogic},
      {"copysign", &P::lowerCopysign},
      {"cos", &P::lowerTranscendental},
      {"cp", &P::lowerAsyncCopy},
      {"cvt", &P::lowerConvert},
      {"cvta", &P::lowerAddressConvert},
      {"discard", &P::lowerNothing},
      {"div", &P::lowerDivision},
      {"dp2a", &P::lowerDot},
      {"dp4a", &P::lowerDot},
      {"elect", &P::lowerElect},
      {"ex2", &P::lowerTranscendental},
      {"exit", &P::lowerControl},
      {"fence", &P::lowerFence},
      {"fma", &P::lowerMultiplyAdd},
      {"getctarank", &P::lowerClusterAddress},
      {"griddepcontrol", &P::lowerNothing},
      {"isspacep", &P::lowerIsSpace},
      {"ld", &P::lowerLoad},
      {"ldu", &P::lowerLoad},
      {"ldmatrix", &P::lowerTiles},
      {"lg2", &P::lowerTranscendental},
      {"lop3", &P::lowerLop3},
      {"mapa", &P::lowerClusterAddress},
      {"mbarrier", &P::lowerBarrierObject},
      {"mma", &P::lowerMma},
      {"movmatrix", &P::lowerMoveMatrix},
      {"mad", &P::lowerMultiplyAdd},
      {"madc", &P::lowerMultiplyAdd},
      {"match", &P::lowerMatch},
      {"max", &P::lowerMinMax},
      {"membar", &P::lowerFence},
      {"min", &P::lowerMinMax},
      {"mov", &P::lowerMove},
      {"mul", &P::lowerMul},
      {"nanosleep", &P::lowerControl},
      {"neg", &P::lowerNegAbs},
      {"not", &P::lowerLogic},
      {"or", &P::lowerLogic},
      {"pmevent", &P::lowerNothing},
      {"popc", &P::lowerCount},
      {"prefetch", &P::lowerNothing},
      {"prefetchu", &P::lowerNothing},
      {"prmt", &P::lowerPermute},
      {"rcp", &P::lowerRoot},
      {"red", &P::lowerAtomic},
      {"redux", &P::lowerRedux},
      {"rem", &P::lowerDivision},
      {"ret", &P::lowerControl},
      {"rsqrt", &P::lowerRoot},
      {"sad", &P::lowerSad},
      {"selp", &P::lowerSelect},
      {"set", &P::lowerCompare},
      {"setmaxnreg", &P::lowerNothing},
      {"setp", &P::lowerCompare},
      {"shf", &P::lowerFunnelShift},
      {"shfl", &P::lowerShuffle},
      {"shl", &P::lowerShift},
      {"shr", &P::lowerShift},
      {"sin", &P::lowerTranscendental},
      {"sqrt", &P::lowerRoot},
      {"stmatrix", &P::lowerTiles},
      {"wmma", &P::lowerWmma},
      {"st", &P::lowerStore},
      {"sub", &P::lowerAddSub},
      {"subc", &P::lowerAddSub},
      {"suld", &P::lowerSurface},
      {"sust", &P::lowerSurface},
      {"tanh", &P::lowerTranscendental},
      {"testp", &P::lowerTest},
      {"tex", &P::lowerTexture},
      {"tld4", &P::lowerTexture},
      {"trap", &P::lowerControl},
      {"vote", &P::lowerVote},
      {"xor", &P::lowerLogic},
  };
  for (const Entry &E : Table)
    if (E.Opcode == Opcode)
      return E.Function;
  bool IsVideo = Opcode.starts_with("v") &&
                 (Opcode.ends_with("2") || Opcode.ends_with("4"));
  return IsVideo ? &P::lowerVideo : nullptr;
}

/// d|p: only some instructions have one.
static bool knowsSecondResult(const PtxInstruction &I) {
  return I.Operands.empty() || I.Operands[0].Second.empty() ||
         is_contained({"setp", "shfl", "match", "elect"}, I.Opcode);
}

bool PtxLowering::lowerOne(const PtxInstruction &Instruction) {
  I = &Instruction;
  Type = Target = PtxType();
  for (const std::string &Modifier : I->Modifiers)
    if (PtxType T = PtxType::parse(Modifier)) {
      Target = Type ? Type : T;
      Type = T;
    }
  Handler Function = findHandler(I->Opcode);
  return Function && isKnownPtx(*I) && knowsSecondResult(*I) &&
         (this->*Function)();
}

/// @p: a conditional block, and phis for the registers that it sets.
bool PtxLowering::lowerPredicated(const PtxInstruction &Instruction) {
  Value *Condition = readBits(Instruction.Predicate, B.getInt1Ty());
  if (!Condition)
    return false;
  if (Instruction.Negated)
    Condition = B.CreateNot(Condition);
  BasicBlock *Before = Anchor->getParent();
  llvm::Instruction *Then =
      SplitBlockAndInsertIfThen(Condition, Anchor, /*Unreachable=*/false);
  auto Old = Registers;
  B.SetInsertPoint(Then);
  bool Known = lowerOne(Instruction);
  BasicBlock *ThenEnd = B.GetInsertBlock();
  B.SetInsertPoint(&Anchor->getParent()->front());
  for (auto &[Name, New] : Registers) {
    auto It = Old.find(Name);
    if (It != Old.end() && It->second == New)
      continue;
    PHINode *Phi = B.CreatePHI(New->getType(), 2);
    Phi->addIncoming(New, ThenEnd);
    Value *Kept = PoisonValue::get(New->getType());
    if (It != Old.end()) {
      IRBuilder<> BeforeB(Before->getTerminator());
      if (Value *Converted = convertBits(BeforeB, It->second, New->getType()))
        Kept = Converted;
    }
    Phi->addIncoming(Kept, Before);
    New = Phi;
  }
  B.SetInsertPoint(Anchor);
  return Known;
}

bool PtxLowering::finish() {
  if (Outputs.empty())
    return true;
  auto OutputAs = [&](unsigned Index, llvm::Type *T) -> Value * {
    auto It = Registers.find(Outputs[Index]);
    return It == Registers.end() ? PoisonValue::get(T)
                                 : convertBits(B, It->second, T);
  };
  Value *Result;
  if (auto *Struct = dyn_cast<StructType>(Call.getType())) {
    Result = PoisonValue::get(Struct);
    for (unsigned N = 0; N < Outputs.size(); ++N) {
      Value *V = OutputAs(N, Struct->getElementType(N));
      if (!V)
        return false;
      Result = B.CreateInsertValue(Result, V, N);
    }
  } else {
    Result = OutputAs(0, Call.getType());
  }
  if (!Result)
    return false;
  Call.replaceAllUsesWith(Result);
  return true;
}

bool PtxLowering::lower(const PtxProgram &Program, std::string &What) {
  ArrayRef<PtxInstruction> Instructions(Program.Instructions);
  if (Program.HasLabels) {
    if (!lowerFlow(Program, What))
      return false;
    Instructions = {};
  }
  for (const PtxInstruction &Instruction : Instructions) {
    bool Known = Instruction.Predicate.empty() ? lowerOne(Instruction)
                                               : lowerPredicated(Instruction);
    if (!Known) {
      What = Instruction.Text;
      return false;
    }
  }
  if (finish())
    return true;
  What = Program.Instructions.empty() ? "" : Program.Instructions.back().Text;
  return false;
}

bool lowerPtx(CallInst &Call, std::string &What) {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  PtxProgram Program = parsePtx(Asm->getAsmString());
  if (!Program.Directives.empty()) {
    What = Program.Directives.front();
    return false;
  }
  if (!PtxLowering(Call).lower(Program, What))
    return false;
  Call.eraseFromParent();
  return true;
}

} // namespace ct
