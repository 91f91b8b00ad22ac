// The page of tune report --html without its data; RDNA_PAGE is the file's path.
        .section .rodata
        .globl  rdnaTunePage
        .globl  rdnaTunePageEnd
        .hidden rdnaTunePage
        .hidden rdnaTunePageEnd
rdnaTunePage:
        .incbin RDNA_PAGE
rdnaTunePageEnd:
        .section .note.GNU-stack,"",@progbits
