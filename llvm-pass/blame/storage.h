/* SPDX-License-Identifier: Apache-2.0 */
/* Storage that a function's source names: variables, what they point to,
 * fields, elements. */
#ifndef CT_LLVM_PASS_BLAME_STORAGE_H
#define CT_LLVM_PASS_BLAME_STORAGE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Value.h"
#include <deque>
#include <map>
#include <string>

namespace ct {

/// A piece of memory as the source would name it. Those of a function form
/// trees: a variable, what it points to (`*p`), fields (`s.a`, `p->a`),
/// elements (`v[]`: all of an array together).
struct Storage {
  enum KindOf { Variable, Pointee, Field, Elements };
  KindOf Kind = Variable;
  const Storage *Parent = nullptr;    // null of variables alone
  const llvm::DIType *Type = nullptr; // null: not known
  const llvm::DIVariable *Declared =
      nullptr; // of a variable; null: the compiler's own
  const llvm::Value *Root =
      nullptr;        // of a variable: alloca, argument or global
  int Parameter = -1; // of a variable: index of the argument it holds
  uint64_t Offset = 0, Bytes = 0; // of a field
  std::string Name;               // of a field
  unsigned Depth = 0;             // pointers that are followed to get here
  bool Outlives = false; // it is there before and after the function runs
  bool Arrives =
      false; // it is there before: that, and what is passed in memory

  const Storage *variable() const {
    const Storage *S = this;
    while (S->Parent)
      S = S->Parent;
    return S;
  }
  /// The variable or pointee that it is a part of: what has addresses of its
  /// own.
  const Storage *object() const {
    const Storage *S = this;
    while (S->Kind == Field || S->Kind == Elements)
      S = S->Parent;
    return S;
  }
  bool isWithin(const Storage *Outer) const {
    for (const Storage *S = this; S; S = S->Parent) {
      if (S == Outer)
        return true;
      if (S->Kind == Pointee)
        return false;
    }
    return false;
  }
  /// Whether a store to one may change what a load of the other gets.
  bool meets(const Storage *Other) const {
    return isWithin(Other) || Other->isWithin(this);
  }
};

/// Where a pointer may point to: bytes of a storage from an offset on; Scale:
/// plus any multiple of it (0: none).
struct PointsTo {
  const Storage *To;
  int64_t Offset = 0;
  uint64_t Scale = 0;
  bool operator==(const PointsTo &O) const {
    return To == O.To && Offset == O.Offset && Scale == O.Scale;
  }
};

/// The storage of one function, each piece once; pointers to it stay valid.
class Storages {
public:
  /// Pointers that are followed; what is behind more of them is one with what
  /// is before.
  static constexpr unsigned DepthMax = 3;

  /// Root is a variable's alloca, global or, without one, argument.
  Storage *variable(const llvm::Value *Root);
  const Storage *pointee(const Storage *Pointer);
  const Storage *elements(const Storage *Array, const llvm::DIType *Type);
  const Storage *field(const Storage *Of, const llvm::DIType *Type,
                       llvm::StringRef Name, uint64_t Offset, uint64_t Bytes);

  /// Returns what an access of so many bytes at a target is to: down to the
  /// smallest field that holds them. Bytes 0: what is there as a whole.
  const Storage *access(PointsTo At, uint64_t Bytes);

  const std::deque<Storage> &all() const { return All; }

private:
  using Key = std::tuple<const Storage *, int, uint64_t, uint64_t>;
  std::deque<Storage> All;
  llvm::DenseMap<const llvm::Value *, Storage *> Variables;
  std::map<Key, const Storage *> Parts;

  const Storage *part(const Storage *Parent, Storage::KindOf Kind,
                      uint64_t Offset, uint64_t Bytes, const llvm::DIType *Type,
                      llvm::StringRef Name);
};

/// Without typedefs and qualifiers.
const llvm::DIType *plainType(const llvm::DIType *Type);
/// Returns the type that a pointer or reference leads to, else null.
const llvm::DIType *pointeeType(const llvm::DIType *Type);
/// As C++ would write it; "" if it is not known.
std::string typeText(const llvm::DIType *Type);

/// A name of a storage that outlives its function, by which callers find it:
/// "0*" what the first argument points to, "0*.8:4" four bytes of it from the
/// eighth on, "0*[]" elements, "@name" a global.
std::string exitName(const Storage &S);

} // namespace ct
#endif
