/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of a block whose distances are the same in all threads. */
#include "llvm-pass/clone/groups.h"
#include "llvm-pass/addresses/uniform.h"
#include "llvm-pass/sites/values.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cudatrace/record.h>
#include <optional>

using namespace llvm;
using ct::Group;
using ct::Site;

/// True for what must not come between accesses that are recorded together: it
/// may tell other threads something, or not return.
static bool separates(const Instruction &I) {
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      Intrinsic && Intrinsic->isAssumeLikeIntrinsic())
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isSimple();
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return !Store->isSimple();
  if (auto *Block = dyn_cast<MemIntrinsic>(&I))
    return Block->isVolatile();
  return I.mayReadOrWriteMemory() || I.mayHaveSideEffects() || I.isTerminator();
}

bool ct::areTogether(const Instruction &First, const Instruction &Second) {
  if (First.getParent() != Second.getParent())
    return false;
  for (const Instruction *I = &First; I != &Second;) {
    I = I->getNextNode();
    if (!I || separates(*I))
      return false;
  }
  return true;
}

static bool isUniform(const ct::Addresses &Addresses, const ct::Polynomial &P) {
  return all_of(P.terms(), [&](auto &Term) {
    return all_of(Term.first, [&](unsigned N) {
      const ct::Atom &A = Addresses.atom(N);
      return A.V && ct::isUniform(A.V);
    });
  });
}

namespace {

class GroupFinder {
public:
  GroupFinder(const ct::TracedFunction &F, ct::Addresses &Addresses)
      : F(F), Addresses(Addresses) {}

  std::vector<Group> run() {
    for (size_t I = 0; I < F.Sites.size(); I++) {
      if (mayJoin(F.Sites[I]) && Last &&
          ct::areTogether(*Last, F.inClone(F.Sites[I])) && extend(I))
        continue;
      close();
      if (mayJoin(F.Sites[I]))
        open(I);
    }
    close();
    return std::move(Groups);
  }

private:
  const ct::TracedFunction &F;
  ct::Addresses &Addresses;
  std::vector<Group> Groups;
  Group Current;
  std::vector<ct::Polynomial> Own; // addresses of the current group's members
  ct::Polynomial Hope;             // of the first, if nothing wraps
  Instruction *Last = nullptr;     // the latest access, null: no group is open

  static bool mayJoin(const Site &S) { return S.isPlain() || S.isPlainWord(); }

  /// One hook records both: accesses without values, or loads of words of one
  /// type with theirs.
  static bool areAlike(const Site &A, const Site &B) {
    if (A.Bytes != B.Bytes || A.Values.empty() != B.Values.empty())
      return false;
    return A.Values.empty() || ct::elementOf(A) == ct::elementOf(B);
  }

  ct::Polynomial plus(ct::Polynomial P, const Site &S) {
    return P.add(ct::Polynomial::constant(S.Offset));
  }
  ct::Polynomial address(const Site &S) {
    return plus(Addresses.of(F.inClone(S.Pointer)), S);
  }
  ct::Polynomial hope(const Site &S) {
    return plus(Addresses.hopefully(F.inClone(S.Pointer)), S);
  }

  void open(size_t I) {
    Last = &F.inClone(F.Sites[I]);
    Own = {address(F.Sites[I])};
    Hope = hope(F.Sites[I]);
    Current = {I,
               {{0, {}, {}}},
               Last,
               isa<LoadInst>(Last) ? Last->getNextNode() : Last};
  }

  void close() {
    if (Last && Current.Members.size() > 1)
      Groups.push_back(std::move(Current));
    Last = nullptr;
  }

  /// Whether the hook is, or will be, behind this access.
  bool isAhead(const Instruction *Next) const {
    return isa<LoadInst>(Next) && isa<LoadInst>(Last) &&
           Current.Before == Last->getNextNode();
  }

  bool isComputed(const Value *Pointer) const {
    auto *I = dyn_cast<Instruction>(Pointer);
    return !I || I->getParent() != Current.Before->getParent() ||
           I->comesBefore(Current.Before);
  }

  /// The access as one of the group: at a distance from one whose address need
  /// not be checked, or is anyway, or else on condition.
  std::optional<ct::GroupMember> member(size_t I) {
    const Site &S = F.Sites[I];
    Own.push_back(address(S));
    for (size_t J = 0; J < Current.Members.size(); J++) {
      if (J && !Current.isDoubtful(J))
        continue;
      ct::Polynomial Distance = Own.back();
      if (!isUniform(Addresses, Distance.add(Own[J], -1)))
        continue;
      ct::Polynomial Total = Distance;
      Total.add(Current.Members[J].Total);
      return ct::GroupMember{J, Distance, Total};
    }
    ct::Polynomial Total = hope(S).add(Hope, -1);
    bool Known = isAhead(&F.inClone(S)) || isComputed(F.inClone(S.Pointer));
    if (!Known || !isUniform(Addresses, Total))
      return std::nullopt;
    return ct::GroupMember{Current.Members.size(), {}, Total};
  }

  bool extend(size_t I) {
    if (Current.Members.size() == CT_GROUP_MEMBERS ||
        F.FirstSite + I >= CT_SITE_EXTENDED ||
        !areAlike(F.Sites[I], F.Sites[Current.First]))
      return false;
    std::optional<ct::GroupMember> Member = member(I);
    if (!Member)
      return false;
    Current.Members.push_back(std::move(*Member));
    Instruction *Next = &F.inClone(F.Sites[I]);
    if (isAhead(Next))
      Current.Before = Next->getNextNode();
    Last = Next;
    return true;
  }
};

} // namespace

std::vector<Group> ct::findGroups(const TracedFunction &F, Addresses &Addresses,
                                  function_ref<bool(size_t)> Avoid) {
  std::vector<Group> Groups = GroupFinder(F, Addresses).run();
  auto Rank = [&](const Group &G) {
    return std::pair(Avoid(G.First), -int(F.Sites[G.First].LoopDepth));
  };
  llvm::stable_sort(Groups, [&](const Group &A, const Group &B) {
    return Rank(A) < Rank(B);
  });
  if (Groups.size() > CT_GROUPS_MAX)
    Groups.resize(CT_GROUPS_MAX);
  llvm::sort(Groups,
             [](const Group &A, const Group &B) { return A.First < B.First; });
  return Groups;
}
