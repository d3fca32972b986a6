// Command lsh writes the AVX2 code of package lsh. Run it in the folder of the lab:
//
//	go run ./assembly/lsh -out ../lsh/compare_amd64.s -stubs ../lsh/stubs_amd64.go -pkg lsh
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The offsets in the struct judge, and the sizes of its parts.
const (
	table  = 0
	chunks = 10
	chunk  = 256 * 16
	want   = chunks * chunk
	only   = want + 16
	high   = only + 16
	least  = high + 8
	stride = 96 // bytes from row to row
)

func main() {
	ConstraintExpr("!noasm")
	TEXT("judgeAVX2", NOSPLIT, "func(hits *byte, a *byte, rows *byte, n int, j *byte) (found int)")
	Pragma("noescape")
	Doc("judgeAVX2 is judge.rowsGo for n ≥ 1 rows.")
	hits, a, row, n, j := Load(Param("hits"), GP64()), Load(Param("a"), GP64()), Load(Param("rows"), GP64()), Load(Param("n"), GP64()), Load(Param("j"), GP64())
	at := func(offset int) Mem { return Mem{Base: j, Disp: offset} }
	y := [3]VecVirtual{YMM(), YMM(), YMM()}
	for i := range y {
		VMOVDQU(Mem{Base: a, Disp: 32 * i}, y[i])
	}
	wanted, alone := XMM(), XMM()
	VMOVDQU(at(want), wanted)
	VMOVDQU(at(only), alone)
	valid, enough := GP64(), GP64()
	MOVQ(at(high), valid)
	MOVQ(at(least), enough)
	place, found := GP64(), GP64()
	XORQ(place, place)
	XORQ(found, found)

	Label("next")
	lo, hi := equal(y, row)
	ANDQ(valid, hi)
	count, more := GP64(), GP64()
	POPCNTQ(lo, count)
	POPCNTQ(hi, more)
	ADDQ(more, count)
	CMPQ(count, enough)
	JAE(LabelRef("hit"))
	missing := XMM()
	for c := range chunks {
		word, shift := lo, 8*c
		if c >= 8 {
			word, shift = hi, 8*(c-8)
		}
		offset := GP64()
		switch {
		case shift == 0:
			MOVQ(word, offset)
			SHLQ(U8(4), offset)
		default:
			MOVQ(word, offset)
			SHRQ(U8(shift-4), offset)
		}
		ANDL(U32(0xff0), offset.As32())
		entry := Mem{Base: j, Index: offset, Scale: 1, Disp: table + c*chunk}
		if c == 0 {
			VMOVDQU(entry, missing)
		} else {
			VPOR(entry, missing, missing)
		}
	}
	VPANDN(wanted, missing, missing) // the wanted keys that are contained
	VPXOR(alone, missing, missing)
	VPTEST(missing, missing)
	JNZ(LabelRef("hit"))

	Label("back")
	ADDQ(U8(stride), row)
	INCQ(place)
	CMPQ(place, n)
	JB(LabelRef("next"))
	Store(found, ReturnIndex(0))
	VZEROUPPER()
	RET()

	Label("hit")
	MOVQ(place, Mem{Base: hits})
	MOVQ(lo, Mem{Base: hits, Disp: 8})
	MOVQ(hi, Mem{Base: hits, Disp: 16})
	ADDQ(U8(24), hits)
	INCQ(found)
	JMP(LabelRef("back"))
	Generate()
}

// equal returns which bytes of a row of 96 equal those in y.
func equal(y [3]VecVirtual, row Register) (lo, hi GPVirtual) {
	part := [3]GPVirtual{GP64(), GP64(), GP64()}
	for i := range part {
		same := YMM()
		VPCMPEQB(Mem{Base: row, Disp: 32 * i}, y[i], same)
		VPMOVMSKB(same, part[i].As32())
	}
	SHLQ(U8(32), part[1])
	ORQ(part[1], part[0])
	return part[0], part[2]
}
