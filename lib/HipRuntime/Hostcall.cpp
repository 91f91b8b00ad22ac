#include "HipRuntime/Hostcall.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

namespace rdna::hip {

namespace {

// struct of the device library (ockl/src/hostcall.cl), in u64 words.
enum BufferWord { Headers, Payloads, Doorbell, FreeStack, ReadyStack, IndexMask, BufferWords = 8 };
constexpr uint64_t headerBytes = 24, payloadBytes = 4096, lanesOfPacket = 64, wordsOfLane = 8;
constexpr uint64_t signalBytes = 64;
// Beyond any message that makes sense; a kernel that never ends one must not eat the memory.
constexpr size_t mostWords = 1 << 16, mostMessages = 1 << 16;

enum Service : uint32_t { FunctionCall = 1, Printf = 2, DeviceMemoryCall = 3, Sanitizer = 4 };

uint64_t &word(uint64_t address) { return *reinterpret_cast<uint64_t *>(address); }
uint32_t &dword(uint64_t address) { return *reinterpret_cast<uint32_t *>(address); }

/// Reads on through a message's words.
class Words {
public:
  explicit Words(const std::vector<uint64_t> &words) : words_(words) {}
  uint64_t next() { return at_ < words_.size() ? words_[at_++] : 0; }
  bool ended() const { return at_ >= words_.size(); }
  /// A text with its NUL, padded to whole words.
  std::string text() {
    std::string out;
    while (!ended()) {
      const uint64_t packed = next();
      for (unsigned byte = 0; byte < 8; ++byte) {
        const char c = char(packed >> 8 * byte);
        if (c == 0)
          return out;
        out += c;
      }
    }
    return out;
  }

private:
  const std::vector<uint64_t> &words_;
  size_t at_ = 0;
};

/// One conversion with its value, by the C library. `stars` are the values of '*'.
template <class T>
std::string formatOne(const std::string &spec, const std::vector<int> &stars, T value) {
  const auto call = [&](char *out, size_t size) {
    switch (stars.size()) {
    case 0:
      return snprintf(out, size, spec.c_str(), value);
    case 1:
      return snprintf(out, size, spec.c_str(), stars[0], value);
    default:
      return snprintf(out, size, spec.c_str(), stars[0], stars[1], value);
    }
  };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = call(nullptr, 0);
  if (length < 0)
    return "<?>";
  std::string out(size_t(length) + 1, '\0');
  call(out.data(), out.size());
#pragma GCC diagnostic pop
  out.resize(size_t(length));
  return out;
}

/// Whether a width or precision is so large that the C library would be busy for seconds.
bool isTooWide(const std::string &spec, const std::vector<int> &stars) {
  constexpr unsigned mostDigits = 5;
  constexpr int widest = 99999;
  unsigned digits = 0;
  for (char c : spec) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > mostDigits)
      return true;
  }
  return std::any_of(stars.begin(), stars.end(),
                     [](int star) { return star < -widest || star > widest; });
}

/// Flags, width, precision and length of a conversion are kept; %d and its kin get the width of
/// what was pushed, which is 64 bits, cut to what the length modifier says.
std::string formatConversion(std::string spec, Words &words) {
  std::vector<int> stars;
  for (char c : spec)
    if (c == '*')
      stars.push_back(int(words.next()));
  const char conversion = spec.back();
  if (stars.size() > 2 || isTooWide(spec, stars))
    return "<?>";
  switch (conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X': {
    const bool wide = spec.find_first_of("ljzt") != std::string::npos;
    if (wide)
      return formatOne<uint64_t>(spec, stars, words.next());
    return formatOne<unsigned>(spec, stars, unsigned(words.next()));
  }
  case 'c':
    return formatOne<int>(spec, stars, int(words.next()));
  case 'p':
    return formatOne<void *>(spec, stars, reinterpret_cast<void *>(words.next()));
  case 's':
    return formatOne<const char *>(spec, stars, words.text().c_str());
  default: { // Floating point. Device code has no long double.
    std::erase(spec, 'L');
    return formatOne<double>(spec, stars, std::bit_cast<double>(words.next()));
  }
  }
}

} // namespace

std::string formatMessage(const std::vector<uint64_t> &content) {
  Words words(content);
  words.next(); // The control word.
  const std::string format = words.text();
  std::string out;
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      out += format[at++];
      continue;
    }
    if (format.compare(at, 2, "%%") == 0) {
      out += '%';
      at += 2;
      continue;
    }
    const size_t end = format.find_first_of("diouxXfFeEgGaAcspn", at);
    if (end == std::string::npos)
      return out + format.substr(at);
    std::string spec = format.substr(at, end + 1 - at);
    at = end + 1;
    // Nothing but flags, width, precision and length may stand before the conversion: the C library
    // would go on by what it finds.
    if (spec.find_first_not_of("-+ #0123456789.*hljztL", 1) != spec.size() - 1)
      out += spec;
    else if (spec.back() != 'n')
      out += formatConversion(std::move(spec), words);
  }
  return out;
}

Hostcall::Hostcall(DeviceMemory &memory, unsigned waves, Print print)
    : memory_(memory), print_(std::move(print)) {
  // One more than there are waves: a packet whose index is 0 carries a tag.
  const uint64_t packets = std::bit_ceil(uint64_t(waves) + 1);
  const uint64_t bytes =
      BufferWords * 8 + signalBytes + packets * (headerBytes + payloadBytes) + payloadBytes;
  const Allocation *room = memory.allocate(bytes, Allocation::Kind::Code, hostcallName);
  if (!room)
    return;
  buffer_ = room->address;
  const uint64_t signal = buffer_ + BufferWords * 8;
  headers_ = signal + signalBytes;
  payloads_ = (headers_ + packets * headerBytes + 63) / 64 * 64;
  mask_ = packets - 1;
  word(signal) = 1; // AMD_SIGNAL_KIND_USER; without a mailbox nobody is interrupted.
  word(signal + 8) = 1;
  word(buffer_ + 8 * Headers) = headers_;
  word(buffer_ + 8 * Payloads) = payloads_;
  word(buffer_ + 8 * Doorbell) = signal;
  word(buffer_ + 8 * IndexMask) = mask_;
  word(headers_) = 0;
  for (uint64_t n = 1; n < packets; ++n) // 0 is the end of a stack, so packet 0 has a tag.
    word(headers_ + n * headerBytes) = n == 1 ? mask_ + 1 : n - 1;
  word(buffer_ + 8 * FreeStack) = packets - 1;
}

Hostcall::~Hostcall() {
  stop();
  if (buffer_)
    memory_.release(buffer_);
}

void Hostcall::start() {
  stopping_ = false;
  sawAssertion_ = false;
  if (buffer_)
    thread_ = std::thread([this] { serve(); });
}

void Hostcall::stop() {
  stopping_ = true;
  if (thread_.joinable())
    thread_.join();
}

void Hostcall::serve() {
  unsigned idle = 0;
  while (!stopping_) {
    if (answerAll())
      idle = 0;
    else if (++idle > 1000)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    else
      std::this_thread::yield();
  }
  answerAll(); // A trap can come right behind its message.
}

bool Hostcall::answerAll() {
  std::atomic_ref<uint64_t> ready(word(buffer_ + 8 * ReadyStack));
  uint64_t entry = ready.exchange(0, std::memory_order_acquire);
  const bool any = entry != 0;
  // A kernel that writes over the buffer must not make an endless list of it.
  for (uint64_t n = 0; entry != 0 && n <= mask_; ++n) {
    const uint64_t index = entry & mask_;
    const uint64_t header = headers_ + index * headerBytes;
    entry = word(header); // Read first: the wave pushes the packet back once it is answered.
    answer(header, payloads_ + index * payloadBytes);
  }
  return any;
}

void Hostcall::answer(uint64_t header, uint64_t payload) {
  const uint64_t active = word(header + 8);
  const uint32_t service = dword(header + 16);
  for (uint64_t lane = 0; lane < lanesOfPacket; ++lane) {
    if (!(active >> lane & 1))
      continue;
    uint64_t *slots = &word(payload + lane * wordsOfLane * 8);
    if (service == Printf) {
      message(slots);
      continue;
    }
    refused_ = service == DeviceMemoryCall ? "malloc or free on the device"
               : service == FunctionCall   ? "a call of a host function"
                                           : fmt::format("host service {}", service);
    slots[0] = slots[1] = 0;
  }
  std::atomic_ref<uint32_t> control(dword(header + 20));
  control.fetch_and(~1u, std::memory_order_release);
}

void Hostcall::message(uint64_t *slots) {
  uint64_t descriptor = slots[0];
  const bool begin = descriptor & 1, end = descriptor >> 1 & 1;
  const unsigned count = unsigned(descriptor >> 5 & 7);
  if (begin && messages_.size() < mostMessages) {
    descriptor = (descriptor & 0xff & ~uint64_t(1)) | nextMessage_++ << 8;
    messages_[descriptor >> 8];
  }
  const auto found = messages_.find(descriptor >> 8);
  if (found == messages_.end()) {
    slots[0] = ~uint64_t(0);
    return;
  }
  std::vector<uint64_t> &content = found->second;
  for (unsigned n = 0; n < count && content.size() < mostWords; ++n)
    content.push_back(slots[1 + n]);
  if (!end) {
    slots[0] = descriptor;
    return;
  }
  const uint64_t control = content.empty() ? 0 : content[0];
  const std::string text = formatMessage(content);
  if (control & 1 && text.find("Device-side assertion `") != std::string::npos)
    sawAssertion_ = true;
  print_(control & 1 ? Target::Error : Target::Output, text);
  slots[0] = text.size();
  messages_.erase(found);
}

} // namespace rdna::hip
