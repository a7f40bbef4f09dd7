/* SPDX-License-Identifier: Apache-2.0 */
/* Hook calls for groups of accesses. */
#include "llvm-pass/clone/group_calls.h"
#include "llvm-pass/addresses/uniform.h"
#include "llvm-pass/clone/access_calls.h"
#include "llvm-pass/sites/values.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cudatrace/record.h>

using namespace llvm;

/// Moves what waits for the group's loads from before End, in the block of the
/// loads, to where the hook is done.
static void sinkUses(const ct::TracedFunction &F, const ct::Group &G,
                     Instruction &End) {
  if (G.Before == G.Start)
    return; // it begins with a store
  SmallPtrSet<const Value *, 16> Waiting, Sunk;
  SmallVector<Instruction *, 16> Found;
  for (size_t I = 0; I < G.Members.size(); I++)
    Waiting.insert(&F.inClone(F.Sites[G.First + I]));
  for (Instruction *I = G.Start; I != &End; I = I->getNextNode())
    if (any_of(I->operand_values(),
               [&](Value *V) { return Waiting.contains(V); }))
      Waiting.insert(I);
  for (Instruction *I = End.getPrevNode(); I && I != G.Start;
       I = I->getPrevNode()) {
    auto *Call = dyn_cast<CallBase>(I);
    if (!Waiting.contains(I) || I->mayReadOrWriteMemory() ||
        I->mayHaveSideEffects() || (Call && Call->isConvergent()))
      continue;
    if (any_of(I->users(), [&](const User *U) {
          auto *Use = cast<Instruction>(U);
          return !isa<PHINode>(Use) && Use->getParent() == End.getParent() &&
                 Use->comesBefore(&End) && !Sunk.contains(Use);
        }))
      continue;
    Sunk.insert(I);
    Found.push_back(I);
  }
  for (Instruction *I : reverse(Found))
    I->moveBefore(G.Before->getIterator());
}

namespace {

class GroupCalls {
public:
  GroupCalls(const ct::TracedFunction &F, ArrayRef<ct::Group> Groups,
             const ct::Addresses &Addresses, const ct::Hooks &H,
             ct::HookBuilder &B, bool Far)
      : F(F), Groups(Groups), Addresses(Addresses), H(H), B(B), Far(Far),
        Calls(F, H, B) {}

  void callGroup(const ct::Group &G) {
    const ct::Site &Leader = F.Sites[G.First];
    B.setPosition(G.Before->getIterator(), F.inClone(Leader).getDebugLoc());
    Value *First = Calls.address(Leader), *Holds = nullptr;
    SmallVector<Value *, 11> Arguments = {F.State,
                                          B.getInt64(F.site(G.First)),
                                          First,
                                          B.getInt32(Leader.Bytes),
                                          B.getInt32(&G - Groups.data()),
                                          B.getInt32(G.Members.size() - 1)};
    for (size_t I = 1; I < G.Members.size(); I++) {
      Arguments.push_back(build(G.Members[I].Total));
      if (!G.isDoubtful(I))
        continue;
      Value *Distance = B.CreateSub(Calls.address(F.Sites[G.First + I]), First);
      Value *Equal = B.CreateICmpEQ(Distance, Arguments.back());
      Holds = Holds ? B.CreateAnd(Holds, Equal) : Equal;
    }
    bool HasValues = !Leader.Values.empty();
    FunctionCallee Group = Far ? H.__ct_group_far : H.__ct_group,
                   Hook = HasValues ? H.__ct_group_values : Group;
    Arguments.resize(Group.getFunctionType()->getNumParams(), B.getInt64(0));
    Instruction *End = nullptr, *Then, *Else;
    if (Holds) {
      SplitBlockAndInsertIfThenElse(Holds, G.Before->getIterator(), &Then,
                                    &Else);
      End = Then->getParent()->getSinglePredecessor()->getTerminator();
      B.setPosition(Else->getIterator(), B.getCurrentDebugLocation());
      callMembers(G);
      B.setPosition(Then->getIterator(), B.getCurrentDebugLocation());
    }
    if (HasValues)
      addValues(G, Arguments);
    CallInst *Call = B.callHook(Hook, Arguments);
    if (!HasValues)
      sinkUses(F, G, End ? *End : *Call);
  }

private:
  const ct::TracedFunction &F;
  ArrayRef<ct::Group> Groups;
  const ct::Addresses &Addresses;
  const ct::Hooks &H;
  ct::HookBuilder &B;
  bool Far;
  ct::AccessCalls Calls;

  /// The hook waits for what the loads bring.
  void addValues(const ct::Group &G, SmallVectorImpl<Value *> &Arguments) {
    for (size_t I = 0; I < CT_GROUP_MEMBERS; I++)
      Arguments.push_back(I < G.Members.size()
                              ? ct::wordOf(B, F.Sites[G.First + I], *F.Map)
                              : B.getInt64(0));
    Arguments.push_back(B.getInt32(ct::elementOf(F.Sites[G.First])));
  }

  /// One by one, in threads whose distances are others.
  void callMembers(const ct::Group &G) {
    for (size_t I = 0; I < G.Members.size(); I++) {
      const ct::Site &S = F.Sites[G.First + I],
                     &From = F.Sites[G.First + G.Members[I].From];
      Value *Address =
          B.CreateAdd(Calls.address(From), build(G.Members[I].Distance));
      B.callHook(I ? H.__ct_access_far : H.__ct_access_alone,
                 {F.State, B.getInt64(F.site(G.First + I)), Address,
                  B.getInt32(S.Bytes)});
      ct::recordValues(B, H, S, *F.Map, F.State,
                       B.getInt64(F.site(G.First + I)), Address,
                       /*IsBehind=*/true);
    }
  }

  Value *build(const ct::Polynomial &P) {
    return ct::buildPolynomial(B, Addresses, P, [&](const ct::Atom &A) {
      return ct::uniformValue(B, A.V);
    });
  }
};

} // namespace

void ct::callGroups(const TracedFunction &F, ArrayRef<Group> Groups,
                    const Addresses &From, const Hooks &H, HookBuilder &B,
                    bool Far) {
  GroupCalls Calls(F, Groups, From, H, B, Far);
  for (const Group &G : Groups)
    Calls.callGroup(G);
}
