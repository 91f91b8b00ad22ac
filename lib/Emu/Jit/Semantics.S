// The semantics' bitcode as read-only data; RDNA_SEMANTICS is the file's path.
        .section .rodata
        .globl  rdnaSemanticsBegin
        .globl  rdnaSemanticsEnd
        .hidden rdnaSemanticsBegin
        .hidden rdnaSemanticsEnd
        .p2align 4
rdnaSemanticsBegin:
        .incbin RDNA_SEMANTICS
rdnaSemanticsEnd:
        .section .note.GNU-stack,"",@progbits
