// The page of --html without its data; RDNA_PAGE is the file's path.
        .section .rodata
        .globl  rdnaReportPage
        .globl  rdnaReportPageEnd
        .hidden rdnaReportPage
        .hidden rdnaReportPageEnd
rdnaReportPage:
        .incbin RDNA_PAGE
rdnaReportPageEnd:
        .section .note.GNU-stack,"",@progbits
