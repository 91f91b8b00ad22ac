; One page that loads nothing, with the JSON that --json prints; what the text says is never markup.
; RUN: split-file %s %t
; RUN: %isa-parse --html "%t/<b>&.html" "%t/<b>&.s" | wc -c | FileCheck %s --check-prefix=ZERO
; RUN: not grep -iE '(src|href|action) *= *"?(https?:|//)|@import|url\(|<link|<iframe|<img' "%t/<b>&.html"
; RUN: grep -c "Content-Security-Policy.*default-src 'none'" "%t/<b>&.html" | FileCheck %s --check-prefix=ONE
; RUN: grep -c '</script' "%t/<b>&.html" | FileCheck %s --check-prefix=THREE
; RUN: sed -n 's/.*id="data">\(.*\)<\/script>$/\1/p' "%t/<b>&.html" | jq -S . > %t/embedded.json
; RUN: %isa-parse --json --details "%t/<b>&.s" | jq -S . > %t/printed.json
; RUN: diff %t/embedded.json %t/printed.json
; RUN: %isa-parse --json --html %t/both.html "%t/<b>&.s" | jq -S . | diff - %t/printed.json
; RUN: diff "%t/<b>&.html" %t/both.html
; RUN: jq -c '.kernels[0].details | .sources, .code.source_line, .code.vgprs, .code.kind, .banks' %t/printed.json | FileCheck %s

; ZERO: {{^}}0{{$}}
; ONE: {{^}}1{{$}}
; Those of the data, of D3 and of the page's own script.
; THREE: {{^}}3{{$}}

;      CHECK: ["/src/</script><b>.hip"]
; CHECK-NEXT: [3,7,7,0]
; CHECK-NEXT: [2,3,2,0]
; CHECK-NEXT: [6,5,2,12]
; CHECK-NEXT: {"at":1,"reads":{{\[\[}}"SRCX0","v1",1,"file"],["SRCX1","v2",2,"file"]],"writes":{{\[\[}}"DSTX","v0",0,"write"]]}

;--- <b>&.s
	.text
	.file	1 "/src" "</script><b>.hip"
	.globl	k
	.type	k,@function
k:
	.loc	1 3 7
	s_mov_b32 s0, "</script><img src=x onerror=alert(1)>"@rel32@lo ; </script><img src=x>
	.loc	1 7 1 is_stmt 0
	v_add_f32_e32 v0, v1, v2
	v_fmac_f32_e32 v2, v0, v0
	.loc	1 0 1
	s_endpgm
	.amdhsa_kernel k
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 32
	.end_amdhsa_kernel
