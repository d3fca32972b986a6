// Command minhash writes the AVX2 code of package minhash. Run it in the folder of the lab:
//
//	go run ./assembly/minhash -out ../minhash/minhash_amd64.s -stubs ../minhash/stubs_amd64.go -pkg minhash
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func main() {
	ConstraintExpr("!noasm")
	minima()
	equal("equalAVX2", 1, "equalAVX2 is equalGo for planes of n bytes, 32 ≤ n ≤ 128.")
	equal("maskAVX2", 3, "maskAVX2 is maskGo for rows of three planes of n bytes, 32 ≤ n ≤ 128.")
	Generate()
}

// group is eight permutations: their coefficients, each in the even lanes of a register because VPMULUDQ multiplies
// those, and their running minima.
type group struct {
	aEven, aOdd, bEven, bOdd VecVirtual
	unsigned, signed         VecVirtual
}

// minima keeps everything in registers: 8 for coefficients, 4 for minima, one for the element and 3 for scratch, all
// sixteen. Twenty vector instructions per element and pass, on three ports, are 6.7 cycles for 16 permutations.
func minima() {
	TEXT("minimaAVX2", NOSPLIT, "func(dst *[16]uint32, c *byte, elements *uint32, n int)")
	Pragma("noescape")
	Doc("minimaAVX2 is minimaGo for n ≥ 1 elements.")
	c, elements, n := Load(Param("c"), GP64()), Load(Param("elements"), GP64()), Load(Param("n"), GP64())
	groups := [2]group{loadGroup(c, 0), loadGroup(c, 1)}
	x := YMM()
	LEAQ(Mem{Base: elements.(GPVirtual), Index: n.(GPVirtual), Scale: 4}, elements)
	NEGQ(n)
	Label("element")
	VPBROADCASTD(Mem{Base: elements.(GPVirtual), Index: n.(GPVirtual), Scale: 4}, x)
	for _, g := range groups {
		step(g, x)
	}
	INCQ(n)
	JNZ(LabelRef("element"))
	dst := Load(Param("dst"), GP64())
	for i, g := range groups {
		finish(g)
		VMOVDQU(g.unsigned, Mem{Base: dst.(GPVirtual), Disp: 32 * i})
	}
	VZEROUPPER()
	RET()
}

// loadGroup reads group i of a block, which holds 16 doubled coefficients a and then 16 doubled terms b+1, of 4 bytes
// each (see family.go).
func loadGroup(c Register, i int) group {
	g := group{YMM(), YMM(), YMM(), YMM(), YMM(), YMM()}
	VMOVDQU(Mem{Base: c.(GPVirtual), Disp: 32 * i}, g.aEven)
	VPSRLQ(Imm(32), g.aEven, g.aOdd)
	VMOVDQU(Mem{Base: c.(GPVirtual), Disp: 64 + 32*i}, g.bEven)
	VPSRLQ(Imm(32), g.bEven, g.bOdd)
	VPSLLQ(Imm(32), g.bEven, g.bEven) // a sum needs the other half cleared
	VPSRLQ(Imm(32), g.bEven, g.bEven)
	VPCMPEQD(g.unsigned, g.unsigned, g.unsigned) // the greatest unsigned
	VPSRLD(Imm(1), g.unsigned, g.signed)         // the greatest signed
	return g
}

// step takes the element x into the minima of eight permutations. With q = ax+b+1, the fold (q mod 2^31) + (q div 2^31)
// is congruent to q modulo P and is in [1, 2P]. Doubled coefficients put the two parts into the halves of a 64-bit
// lane: twice the low 31 bits in the low half and the high 31 bits in the high half. The shuffles bring equal halves
// together.
//
// The value q-1 mod P is fold-1 or, from 2^31 on, fold-2^31. Instead of reducing each fold, step keeps its least
// unsigned value and its least signed value: the latter is the least of the folds from 2^31 on, if there is one. That
// is two instructions where reducing and taking the minimum are three.
func step(g group, x VecVirtual) {
	even, odd, high := YMM(), YMM(), YMM()
	VPMULUDQ(g.aEven, x, even)
	VPMULUDQ(g.aOdd, x, odd)
	VPADDQ(g.bEven, even, even)
	VPADDQ(g.bOdd, odd, odd)
	VSHUFPS(Imm(0xdd), odd, even, high)
	VSHUFPS(Imm(0x88), odd, even, even)
	VPSRLD(Imm(1), even, even)
	VPADDD(high, even, even)
	VPMINUD(even, g.unsigned, g.unsigned)
	VPMINSD(even, g.signed, g.signed)
}

// finish leaves the minima in g.unsigned, in the order of the permutations: the lesser of unsigned-1 and signed with
// its top bit flipped. If no fold was below 2^31, unsigned-1 is P or more and the other wins, and vice versa.
func finish(g group) {
	ones, top := YMM(), YMM()
	VPCMPEQD(ones, ones, ones)
	VPSLLD(Imm(31), ones, top)
	VPADDD(ones, g.unsigned, g.unsigned)
	VPXOR(top, g.signed, g.signed)
	VPMINUD(g.signed, g.unsigned, g.unsigned)
	VPSHUFD(Imm(0xd8), g.unsigned, g.unsigned) // lanes 0 2 1 3 of each half
}

// equal compares rows of one or three planes of 32 to 128 bytes. The last 32 bytes of a plane are a separate block that
// overlaps the previous one, so that nothing is read beyond a row, which may end where a mapped file ends.
func equal(name string, planes int, doc string) {
	TEXT(name, NOSPLIT, "func(a, b *byte, n int) (lo, hi uint64)")
	Pragma("noescape")
	Doc(doc)
	n := Load(Param("n"), GP64()).(GPVirtual)
	r := rows{n: n, a: planesOf("a", n, planes), b: planesOf("b", n, planes)}
	lo, hi, tail, part, shift := GP64(), GP64(), GP64(), GP64(), GP64()
	XORQ(hi, hi)
	r.block(lo, 0)
	r.last(tail)
	LEAQ(Mem{Base: n, Disp: -32}, shift) // the bit at which the last block starts
	CMPQ(n, Imm(64))
	JLE(LabelRef("low"))
	r.block(part, 32)
	SHLQ(Imm(32), part)
	ORQ(part, lo)
	CMPQ(n, Imm(96))
	JGE(LabelRef("high"))
	NEGQ(shift) // 65 to 95 signatures: the last block is in both words
	SHRXQ(shift, tail, hi)
	NEGQ(shift)
	Label("low")
	SHLXQ(shift, tail, tail)
	ORQ(tail, lo)
	JMP(LabelRef("done"))
	Label("high")
	r.block(hi, 64)
	SHLXQ(shift, tail, tail)
	ORQ(tail, hi)
	Label("done")
	Store(lo, ReturnIndex(0))
	Store(hi, ReturnIndex(1))
	VZEROUPPER()
	RET()
}

type rows struct {
	n    GPVirtual
	a, b []GPVirtual // the start of each plane
}

func planesOf(param string, n GPVirtual, planes int) []GPVirtual {
	starts := []GPVirtual{Load(Param(param), GP64()).(GPVirtual)}
	for len(starts) < planes {
		next := GP64()
		LEAQ(Mem{Base: starts[len(starts)-1], Index: n, Scale: 1}, next)
		starts = append(starts, next)
	}
	return starts
}

// block sets dst to the equal signatures among the 32 from number at on.
func (r rows) block(dst GPVirtual, at int) {
	r.compare(dst, func(start GPVirtual) Mem { return Mem{Base: start, Disp: at} })
}

// last sets dst to the equal signatures among the last 32.
func (r rows) last(dst GPVirtual) {
	r.compare(dst, func(start GPVirtual) Mem { return Mem{Base: start, Index: r.n, Scale: 1, Disp: -32} })
}

func (r rows) compare(dst GPVirtual, mem func(start GPVirtual) Mem) {
	var all VecVirtual
	for i := range r.a {
		v := YMM()
		VMOVDQU(mem(r.a[i]), v)
		VPCMPEQB(mem(r.b[i]), v, v)
		if i > 0 {
			VPAND(all, v, v)
		}
		all = v
	}
	VPMOVMSKB(all, dst.As32())
}
