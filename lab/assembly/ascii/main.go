// Command ascii writes the AVX2 code of package ascii. Run it in the folder of the lab:
//
//	go run ./assembly/ascii -out ../internal/ascii/words_amd64.s -stubs ../internal/ascii/stubs_amd64.go -pkg ascii
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	TEXT("wordMapAVX2", NOSPLIT, "func(p *[64]byte) (word, high, slash uint64)")
	Pragma("noescape")
	Doc("wordMapAVX2 is wordMapGo.")
	p := Mem{Base: Load(Param("p"), GP64())}
	// A byte is in a range of n from a on if, less a and 128, it is less than n-128 as a signed number.
	lower, fromA, toZ := constant("lower", 0x20), constant("fromA", 0x80-'a'), constant("toZ", 26+0x80)
	from0, to9, backslash := constant("from0", 0x80-'0'), constant("to9", 10+0x80), constant("backslash", '\\')
	var found [3][2]GPVirtual
	for i := range 2 {
		x, letters, digits := YMM(), YMM(), YMM()
		VMOVDQU(p.Offset(32*i), x)
		VPOR(lower, x, letters)
		VPADDB(fromA, letters, letters)
		VPCMPGTB(letters, toZ, letters)
		VPADDB(from0, x, digits)
		VPCMPGTB(digits, to9, digits)
		VPOR(letters, digits, letters)
		VPCMPEQB(backslash, x, digits)
		for k, v := range []VecVirtual{letters, x, digits} {
			r := GP32()
			VPMOVMSKB(v, r)
			found[k][i] = r.As64().(GPVirtual)
		}
	}
	for k, name := range []string{"word", "high", "slash"} {
		SHLQ(Imm(32), found[k][1])
		ORQ(found[k][0], found[k][1])
		Store(found[k][1], Return(name))
	}
	VZEROUPPER()
	RET()
	Generate()
}

// constant loads a byte into all lanes of a register.
func constant(name string, v byte) VecVirtual {
	c, x := GLOBL(name, RODATA|NOPTR), YMM()
	DATA(0, U8(v))
	VPBROADCASTB(c, x)
	return x
}
