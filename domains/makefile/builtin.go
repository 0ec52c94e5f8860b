package makefile

import "strings"

// What Make enters into its table of files before it reads anything, in that
// order.
var (
	defaultSuffixes = strings.Fields(`.out .a .ln .o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .yl .s .S .mod .sym
		.def .h .info .dvi .tex .texinfo .texi .txinfo .w .ch .web .sh .elc .el`)
	suffixRules = strings.Fields(`.S.o .s.o .mod.o .def.sym .c.ln .y.ln .l.ln .y.c .l.c .ym.m .lm.m .c.o .cc.o .C.o
		.cpp.o .p.o .m.o .f.o .F.o .r.o .F.f .r.f .l.r .S.s .texinfo.info .texi.info .txinfo.info .tex.dvi
		.texinfo.dvi .texi.dvi .txinfo.dvi .w.c .web.p .w.tex .web.tex`)
)

// The stems of Make's own pattern rules, and what the published program takes
// for one. Without suffix rules fewer are left.
var (
	builtInStems = strings.Fields(`% (%) %.C %.F %.S %.a %.c %.cc %.ch %.cpp %.def %.dvi %.el %.elc %.f %.h %.info %.l
		%.ln %.m %.mod %.o %.out %.p %.r %.s %.sh %.sym %.tex %.texi %.texinfo %.txinfo %.w %.web %.y %.yl %.ym`)
	bareStems   = strings.Fields(`% (%) %.c %.out %.tex`)
	readAsAStem = "# strcache performance"
)
