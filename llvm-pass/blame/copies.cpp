/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between host and devices. */
#include "llvm-pass/blame/copies.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace {

constexpr unsigned NONE = ~0u;

struct Copy {
  StringLiteral Name;
  unsigned Target, Source, Bytes, Kind;
};

const Copy All[] = {
#define CT_COPY(function, target, source, bytes, kind)                         \
  {#function, target, source, bytes, kind},
#include "llvm-pass/blame/copies.def"
};

/// The values of cudaMemcpyKind.
enum { ToDevice = 1, FromDevice = 2, WithinDevice = 3 };

const Copy *copyOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  if (!Name.consume_back("_ptsz"))
    Name.consume_back("_ptds");
  for (const Copy &C : All)
    if (Name == C.Name) {
      for (unsigned Argument : {C.Target, C.Source})
        if (Argument != NONE &&
            (Argument >= Call.arg_size() ||
             !Call.getArgOperand(Argument)->getType()->isPointerTy()))
          return nullptr;
      return &C;
    }
  return nullptr;
}

/// Returns an argument, if it is a constant; else 0.
uint64_t number(const CallBase &Call, unsigned Argument) {
  auto *Constant = Argument < Call.arg_size()
                       ? dyn_cast<ConstantInt>(Call.getArgOperand(Argument))
                       : nullptr;
  return Constant ? Constant->getZExtValue() : 0;
}

const ct::Storage *pointee(const Function &Model, unsigned Argument,
                           ct::Storages &Names) {
  ct::Storage *Holder = Names.variable(Model.getArg(Argument));
  Holder->Parameter = int(Argument);
  return Names.pointee(Holder);
}

} // namespace

ct::Copies::Copies(Module &M) : Models("copies", M.getContext()) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Copy *C = copyOf(*Call))
          FunctionOf[Call] =
              Function::Create(Call->getFunctionType(),
                               GlobalValue::ExternalLinkage, C->Name, Models);
}

ct::Summary ct::Copies::summarise(const CallBase &Call, const Function &Model,
                                  Storages &Names) {
  const Copy &C = *copyOf(Call);
  uint64_t Kind = number(Call, C.Kind);
  bool Writes = C.Target != NONE && Kind != ToDevice && Kind != WithinDevice;
  bool Reads = C.Source != NONE && Kind != FromDevice && Kind != WithinDevice;
  Summary Left;
  if (Reads)
    Left.Reads.push_back(pointee(Model, C.Source, Names));
  if (!Writes)
    return Left;
  const Storage *To = pointee(Model, C.Target, Names);
  Exit E = {exitName(*To), To, BitVector(unsigned(Model.arg_size())), {}};
  for (unsigned Argument : {C.Source, C.Bytes})
    if (Argument < Call.arg_size())
      E.Parameters.set(Argument);
  if (Reads)
    E.Contents.push_back(Left.Reads.front());
  E.Bytes = number(Call, C.Bytes);
  Left.Exits.push_back(std::move(E));
  return Left;
}
