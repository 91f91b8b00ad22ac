#include "Code/Compose.h"

#include <algorithm>
#include <cassert>

namespace rdna {
namespace {

using Original = Code::Original;

void sortByPlace(std::vector<TextEdit> &edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const TextEdit &a, const TextEdit &b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
}

/// The second text as a sequence of pieces: bytes of the first one, and what was put in.
class Composer {
public:
  Composer(const Module &first, std::vector<TextEdit> edits) : first_(first) {
    sortByPlace(edits);
    uint32_t at = 0;
    for (const TextEdit &edit : edits) {
      append(Original{at, edit.begin}, Kept::InPlace);
      for (const Code::Piece &piece : edit.replacement.pieces())
        append(piece, Kept::No);
      at = edit.end;
    }
    append(Original{at, size()}, Kept::InPlace);
  }

  std::vector<TextEdit> run(std::vector<TextEdit> more) {
    sortByPlace(more);
    uint32_t at = 0;
    for (const TextEdit &edit : more) {
      take(at, edit.begin, Kept::InPlace);
      for (const Code::Piece &piece : edit.replacement.pieces())
        if (const auto *original = std::get_if<Original>(&piece))
          take(original->begin, original->end, Kept::No);
        else
          pending_.add(piece);
      at = edit.end;
    }
    take(at, parts_.empty() ? 0 : parts_.back().end, Kept::InPlace);
    flush(size());
    return std::move(result_);
  }

private:
  /// Does a piece of the first text stand where it stood, or is it a copy?
  enum class Kept : uint8_t { No, InPlace };
  struct Part {
    uint32_t begin, end; ///< In the second text.
    Code::Piece piece;
    Kept kept;
  };

  uint32_t size() const { return static_cast<uint32_t>(first_.text().size()); }

  void append(Code::Piece piece, Kept kept) {
    const uint32_t begin = parts_.empty() ? 0 : parts_.back().end;
    const auto length = static_cast<uint32_t>(Code().add(piece).print(first_).size());
    if (length != 0)
      parts_.push_back({begin, begin + length, std::move(piece), kept});
  }

  /// Bytes of the second text, as they come next in the third.
  void take(uint32_t begin, uint32_t end, Kept kept) {
    const auto from = std::partition_point(parts_.begin(), parts_.end(),
                                           [&](const Part &part) { return part.end <= begin; });
    for (auto part = from; part != parts_.end() && part->begin < end; ++part) {
      const uint32_t skipped = std::max(begin, part->begin) - part->begin;
      const uint32_t length = std::min(end, part->end) - part->begin - skipped;
      Code::Piece piece = sliceOf(*part, skipped, length);
      if (kept == Kept::InPlace && part->kept == Kept::InPlace)
        keep(std::get<Original>(piece));
      else
        pending_.add(std::move(piece));
    }
  }

  static Code::Piece sliceOf(const Part &part, uint32_t skipped, uint32_t length) {
    if (const auto *original = std::get_if<Original>(&part.piece))
      return Original{original->begin + skipped, original->begin + skipped + length};
    if (const auto *layout = std::get_if<Code::Layout>(&part.piece))
      return Code::Layout{layout->text.substr(skipped, length)};
    assert(skipped == 0 && length == part.end - part.begin);
    return part.piece;
  }

  void keep(const Original &original) {
    flush(original.begin);
    at_ = original.end;
  }

  /// What is pending stands in the first text's place of all that was kept up to here.
  void flush(uint32_t upTo) {
    if (upTo != at_ || !pending_.empty())
      result_.push_back({at_, upTo, std::move(pending_)});
    pending_ = {};
    at_ = upTo;
  }

  const Module &first_;
  std::vector<Part> parts_; ///< In text order.
  std::vector<TextEdit> result_;
  Code pending_;
  uint32_t at_ = 0; ///< Of the first text: where what comes next is.
};

} // namespace

std::vector<TextEdit> composeEdits(const Module &module, std::vector<TextEdit> edits,
                                   std::vector<TextEdit> more) {
  return Composer(module, std::move(edits)).run(std::move(more));
}

} // namespace rdna
