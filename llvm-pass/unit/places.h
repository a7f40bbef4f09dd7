/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of the source each line of a unit's PTX is of (cudatrace/places.h). The
 * PTX is there only when code generation has ended, so it is read when the
 * compiler exits; what its comments do not have, names of subprograms and of
 * files, is noted before.
 */
#ifndef CT_LLVM_PASS_UNIT_PLACES_H
#define CT_LLVM_PASS_UNIT_PLACES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>

namespace ct {

/// The environment variable in which the clang plugin leaves the name of the
/// compiler's output.
constexpr const char *OutputVariable = "CT_DEVICE_OUTPUT";

/// A location without those that it was inlined at.
struct PlaceFacts {
  std::string Function, File;
};

struct PlaceTexts {
  /// By "<function of the PTX>\n<location as the PTX's comments have it>".
  llvm::StringMap<PlaceFacts> Facts;
  llvm::StringSet<> Functions; // pristine ones
};

/// All locations in pristine functions of M.
PlaceTexts placeTexts(const llvm::Module &M);

/// The blob; "" if Ptx is no PTX or has no locations.
std::string placesBlob(llvm::StringRef Ptx, const PlaceTexts &Texts,
                       uint64_t UnitId, uint32_t Arch);

/// Has the blob of M, which has debug information, written to Path when the
/// compiler exits.
void writePlacesAtExit(const llvm::Module &M, uint64_t UnitId, uint32_t Arch,
                       llvm::StringRef Path);

} // namespace ct
#endif
