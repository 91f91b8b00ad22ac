; LLVM's printer loses what tells these apart from other instructions: they keep their own text.
; RUN: %isa-parse --roundtrip %s | FileCheck %s
; CHECK: {{.*}}: 4 instructions printed anew, 32 bytes of code are the same

v_nop_e64
v_pipeflush_e64
ds_swizzle_b32 v8, v2 offset:0xFFFF
v_add_f32_e64 v1, v2, v3
