/* SPDX-License-Identifier: Apache-2.0 */
/* Calls by the names of their functions, which are declared alone. */
#include "llvm-pass/host/notices.h"
#include "llvm-pass/base/hooks.h"
#include "llvm/IR/InstrTypes.h"
#include <cudatrace/host.h>
#include <vector>

using namespace llvm;

namespace {

constexpr unsigned None = ~0u;

/// A line of uses.def: arguments by number.
struct Noticed {
  enum Shape { Message, Messages, Anything, Clock, Errors, Shares } As;
  StringRef Name, Function;
  unsigned Pointer, Count, Places, Type, Communicator;
  bool Writes;
};

const Noticed Calls[] = {
#define CT_USE_MESSAGE(f, p, c, t, w)                                          \
  {Noticed::Message, #f, #f, p, c, None, t, None, w},
#define CT_USE_GATHERED(f, p, c, t, of, w)                                     \
  {Noticed::Message, #f, #f, p, c, None, t, of, w},
#define CT_USE_MESSAGES(f, p, c, at, t, of, w)                                 \
  {Noticed::Messages, #f, #f, p, c, at, t, of, w},
#define CT_USE_ANYTHING(f)                                                     \
  {Noticed::Anything, #f, #f, None, None, None, None, None, false},
#define CT_USE_CLOCK(f, name)                                                  \
  {Noticed::Clock, name, #f, None, None, None, None, None, false},
#define CT_USE_ERRORS(f)                                                       \
  {Noticed::Errors, #f, #f, None, None, None, None, None, false},
#define CT_USE_SHARES(f)                                                       \
  {Noticed::Shares, #f, #f, None, None, None, None, None, false},
#include <cudatrace/uses.def>
};

class Notices {
public:
  explicit Notices(Module &M)
      : M(M), Void(Type::getVoidTy(M.getContext())),
        I32(Type::getInt32Ty(M.getContext())),
        I64(Type::getInt64Ty(M.getContext())),
        Pointer(PointerType::get(M.getContext(), 0)), Builder(M.getContext()) {}
  bool run();

private:
  Module &M;
  Type *Void;
  IntegerType *I32, *I64;
  PointerType *Pointer;
  ct::HookBuilder Builder;

  void tell(CallBase &Call, const Noticed &As);
  void tellMessage(CallBase &Call, const Noticed &As, Value *Name);
  Value *number(CallBase &Call, unsigned Argument);
  /// Its address on the stack names the line, so no two may become one.
  void call(StringRef Hook, ArrayRef<Type *> Parameters,
            ArrayRef<Value *> Arguments) {
    FunctionCallee Callee =
        M.getOrInsertFunction(Hook, FunctionType::get(Void, Parameters, false));
    CallInst *Call = Builder.CreateCall(Callee, Arguments);
    Call->addFnAttr(Attribute::NoUnwind);
    Call->addFnAttr(Attribute::NoMerge);
  }
};

} // namespace

/// A handle of MPI is a pointer or a number.
Value *Notices::number(CallBase &Call, unsigned Argument) {
  if (Argument == None)
    return ConstantInt::get(I64, 0);
  Value *V = Call.getArgOperand(Argument);
  return V->getType()->isPointerTy() ? Builder.CreatePtrToInt(V, I64)
                                     : Builder.CreateZExtOrTrunc(V, I64);
}

void Notices::tellMessage(CallBase &Call, const Noticed &As, Value *Name) {
  unsigned Flags = (As.Writes ? CT_MESSAGE_WRITES : 0) |
                   (As.Communicator != None ? CT_MESSAGE_OF_RANKS : 0);
  for (unsigned Argument :
       {As.Pointer, As.Count, As.Places, As.Type, As.Communicator})
    if (Argument != None && Argument >= Call.arg_size())
      return;
  Value *P = Call.getArgOperand(As.Pointer);
  if (!P->getType()->isPointerTy())
    return;
  Value *Type = number(Call, As.Type), *Of = number(Call, As.Communicator);
  if (As.As == Noticed::Message) {
    call("__ct_use_message", {Pointer, I64, I64, I64, I32, Pointer},
         {P, number(Call, As.Count), Type, Of, ConstantInt::get(I32, Flags),
          Name});
    return;
  }
  call("__ct_use_messages", {Pointer, Pointer, Pointer, I64, I64, I32, Pointer},
       {P, Call.getArgOperand(As.Count), Call.getArgOperand(As.Places), Type,
        Of, ConstantInt::get(I32, Flags), Name});
}

void Notices::tell(CallBase &Call, const Noticed &As) {
  // Who drops the error has cleared it, not asked for it.
  if (As.As == Noticed::Errors && Call.use_empty())
    return;
  Builder.setPosition(Call);
  Value *Name = Builder.CreateGlobalString(As.Name);
  if (As.As == Noticed::Clock)
    call("__ct_use_clock", {Pointer}, {Name});
  else if (As.As == Noticed::Errors)
    call("__ct_use_errors", {Pointer}, {Name});
  else if (As.As == Noticed::Shares)
    call("__ct_use_shares", {Pointer}, {Name});
  else if (As.As == Noticed::Anything)
    call("__ct_use_anything", {Pointer}, {Name});
  else
    tellMessage(Call, As, Name);
}

bool Notices::run() {
  std::vector<std::pair<CallBase *, const Noticed *>> Found;
  for (const Noticed &As : Calls) {
    Function *F = M.getFunction(As.Function);
    if (!F || !F->isDeclaration())
      continue;
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledFunction() == F &&
          !Call->getFunction()->hasAvailableExternallyLinkage())
        Found.push_back({Call, &As});
  }
  for (auto &[Call, As] : Found)
    tell(*Call, *As);
  return !Found.empty();
}

bool ct::noticeCalls(Module &M) { return Notices(M).run(); }
