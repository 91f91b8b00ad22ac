//===- Hostcall.hip - printf, assert: what a kernel asks of the host ------===//
//
// The protocol of AMD's hostcall buffer: a wave takes a packet from the free stack, fills a row for
// each active lane, pushes it on the ready stack and waits until the host has answered.
//
//===----------------------------------------------------------------------===//
#include "Device.h"

namespace {

struct Header {
  u64 next;
  u64 activeMask;
  u32 service;
  u32 control; ///< Bit 0: the host has not answered yet.
};

struct Buffer {
  Header *headers;
  u64 (*payloads)[64][8];
  u64 doorbell;
  u64 freeStack;
  u64 readyStack;
  u64 indexMask;
};

constexpr u32 serviceOfPrintf = 2;

DEVICE_HELPER u64 popFree(Buffer *buffer) {
  u64 top = __atomic_load_n(&buffer->freeStack, __ATOMIC_ACQUIRE);
  for (;;) {
    // 0 is the empty stack: another wave will give a packet back.
    if (top == 0) {
      __builtin_amdgcn_s_sleep(1);
      top = __atomic_load_n(&buffer->freeStack, __ATOMIC_ACQUIRE);
      continue;
    }
    const u64 next = __atomic_load_n(&buffer->headers[top & buffer->indexMask].next,
                                     __ATOMIC_RELAXED);
    if (__atomic_compare_exchange_n(&buffer->freeStack, &top, next, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_ACQUIRE))
      return top;
  }
}

DEVICE_HELPER void push(u64 *stack, Header *header, u64 packet) {
  u64 top = __atomic_load_n(stack, __ATOMIC_RELAXED);
  do
    __atomic_store_n(&header->next, top, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(stack, &top, packet, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED));
}

DEVICE_HELPER u64 readFirst(u64 value) {
  return __builtin_amdgcn_readfirstlane(u32(value)) |
         u64(u32(__builtin_amdgcn_readfirstlane(u32(value >> 32)))) << 32;
}

/// One packet with a row of `arguments` for each active lane; the first word of the answer.
__attribute__((device, noinline)) u64 ask(u32 service, const u64 (&arguments)[8]) {
  auto *buffer = (Buffer *)hiddenArguments<u64>()[10];
  const u32 active = activeLanes();
  const bool leads = laneNumber() == u32(__builtin_ctz(active));
  u64 packet = 0;
  if (leads)
    packet = popFree(buffer);
  packet = readFirst(packet);
  Header *header = &buffer->headers[packet & buffer->indexMask];
  u64 *row = buffer->payloads[packet & buffer->indexMask][laneNumber()];
  for (u32 word = 0; word < 8; ++word)
    row[word] = arguments[word];
  if (leads) {
    header->activeMask = active;
    header->service = service;
    header->control = 1;
  }
  __atomic_thread_fence(__ATOMIC_RELEASE);
  if (leads) {
    push(&buffer->readyStack, header, packet);
    __atomic_fetch_add((u64 *)(buffer->doorbell + 8), 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&header->control, __ATOMIC_ACQUIRE) & 1)
      __builtin_amdgcn_s_sleep(1);
  }
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  const u64 answer = __atomic_load_n(&row[0], __ATOMIC_RELAXED);
  if (leads) {
    // Another tag, so that a wave that still looks at the old top does not take it for this one.
    u64 next = packet + buffer->indexMask + 1;
    push(&buffer->freeStack, header, next == 0 ? buffer->indexMask + 1 : next);
  }
  return answer;
}

// Bits of a message's descriptor.
constexpr u64 beginsMessage = 1, endsMessage = 2;
constexpr u32 countShift = 5, wordsOfPacket = 7;

DEVICE_HELPER u64 begin(u64 control) {
  const u64 arguments[8] = {beginsMessage | 1 << countShift, control, 0, 0, 0, 0, 0, 0};
  return ask(serviceOfPrintf, arguments);
}

DEVICE_HELPER u64 append(u64 descriptor, u32 count, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g,
                         u32 last) {
  // What comes back still says how many words the packet before had.
  descriptor &= ~(u64(wordsOfPacket) << countShift | endsMessage | beginsMessage);
  const u64 arguments[8] = {descriptor | u64(count) << countShift | (last ? endsMessage : 0),
                            a, b, c, d, e, f, g};
  return ask(serviceOfPrintf, arguments);
}

/// Up to 8 characters as a word.
DEVICE_HELPER u64 pack(const char *text, u64 length) {
  u64 word = 0;
  for (u32 byte = 0; byte < 8 && byte < length; ++byte)
    word |= u64((unsigned char)text[byte]) << 8 * byte;
  return word;
}

DEVICE_HELPER u64 appendString(u64 descriptor, const char *text, u64 length, u32 last) {
  if (!text) // Reads as the empty string.
    return append(descriptor, 1, 0, 0, 0, 0, 0, 0, 0, last);
  constexpr u64 bytesOfPacket = 8 * wordsOfPacket;
  for (;;) {
    const u64 here = length < bytesOfPacket ? length : bytesOfPacket;
    u64 words[wordsOfPacket];
    for (u32 n = 0; n < wordsOfPacket; ++n)
      words[n] = 8 * n < here ? pack(text + 8 * n, here - 8 * n) : 0;
    const bool ends = here == length;
    descriptor = append(descriptor, u32((here + 7) / 8), words[0], words[1], words[2], words[3],
                        words[4], words[5], words[6], ends && last);
    if (ends)
      return descriptor;
    text += here;
    length -= here;
  }
}

} // namespace

extern "C" {

DEVICE_FUNCTION u64 __ockl_printf_begin(u64) { return begin(0); }
DEVICE_FUNCTION u64 __ockl_fprintf_stdout_begin(void) { return begin(0); }
DEVICE_FUNCTION u64 __ockl_fprintf_stderr_begin(void) { return begin(1); }

DEVICE_FUNCTION u64 __ockl_printf_append_args(u64 descriptor, u32 count, u64 a, u64 b, u64 c, u64 d,
                                              u64 e, u64 f, u64 g, u32 last) {
  return append(descriptor, count, a, b, c, d, e, f, g, last);
}
DEVICE_FUNCTION u64 __ockl_fprintf_append_args(u64 descriptor, u32 count, u64 a, u64 b, u64 c,
                                               u64 d, u64 e, u64 f, u64 g, u32 last) {
  return append(descriptor, count, a, b, c, d, e, f, g, last);
}
DEVICE_FUNCTION u64 __ockl_printf_append_string_n(u64 descriptor, const char *text, u64 length,
                                                  u32 last) {
  return appendString(descriptor, text, length, last);
}
DEVICE_FUNCTION u64 __ockl_fprintf_append_string_n(u64 descriptor, const char *text, u64 length,
                                                   u32 last) {
  return appendString(descriptor, text, length, last);
}

} // extern "C"
