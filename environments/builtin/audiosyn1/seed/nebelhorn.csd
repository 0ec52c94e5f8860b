<CsoundSynthesizer>
<CsOptions>
-odac -b512 -B2048 -m6 ; pier PC: -+rtaudio=alsa -odac:hw:1
</CsOptions>
<CsInstruments>
; NEBELHORN - stereo bed for the pilots' waiting room, Alte Liebe, Cuxhaven
; v7, Feb 2022: horn retuned to the recording of Elbe 1, gulls thinned out

sr      = 48000
ksmps   = 32
nchnls  = 2
0dbfs   = 1

#define DRY #0.7#
#define ROOM(g) #garvL += aL*$g
garvR += aR*$g#

garvL   init 0
garvR   init 0
gaquay  init 0
giswell ftgen 101, 0, 4096, 5, 0.001, 1024, 1, 3072, 0.001

; slow tide, 0..1, period in seconds
opcode Tide, k, ii
  iper, iph xin
  kval  oscili 0.5, 1/iper, 1, iph
  xout  kval + 0.5
endop

; equal power, p 0 = left
opcode Place, aa, ai
  asig, ipos xin
  xout asig*cos(ipos*$M_PI_2), asig*sin(ipos*$M_PI_2)
endop

; bell buoy "Kugelbake Nord", partials measured from the pier
        instr 1
ifrq    = cpspch(p5)
ipos    = p6
aenv    expseg 0.001, 0.004, p4, p3-0.004, 0.0008
a1      oscili 0.50, ifrq, 1
a2      oscili 0.31, ifrq*2.02, 1
a3      oscili 0.22, ifrq*2.76, 1       ; tierce, flat
a4      oscili 0.12, ifrq*4.11, 1
a5      oscili 0.05, ifrq*5.43, 1
astrk   rand 0.4
astrk   butterbp astrk*aenv*aenv, 2300, 600
aout    = (a1+a2+a3+a4+a5)*aenv + astrk
aL, aR  Place aout, ipos
        outs aL*$DRY, aR*$DRY
garvL   += aL*0.3
garvR   += aR*0.3
        endin

; halyards against the masts in the yacht harbour
        instr 2
ifrq    = cpspch(p5)
aplk    pluck p4, ifrq*(1+rnd(0.004)), ifrq, 0, 4, 0.35, 2
aplk    butterhp aplk, 400
aL, aR  Place aplk, p6
        outs aL, aR
gaquay  += aplk*0.4
        endin

; the horn: two reeds, 3 cents apart, diaphragm buzz on top
        instr 3
ifrq    = cpspch(p5)
kenv    linsegr 0, 0.35, p4, p3-0.8, p4*0.92, 0.45, 0, 0.3, 0
klip    Tide 7.3, 0.25
asaw    vco2 0.5, ifrq
abeat   vco2 0.5, ifrq*1.00173
adry    moogladder asaw+abeat, 300+klip*220, 0.18
; without the clip it sounds like a tuba
adry    clip adry*2.4, 0, 0.85
adry    = adry*kenv
        outs adry*0.6, adry*0.6
gaquay  += adry*0.5
garvL   += adry*0.25
garvR   += adry*0.25
        endin

; hull of a feeder going by, p5 in Hz, p6 modulation index
        instr 4
kswl    poscil p4, 1/p3, giswell
kndx    line p6, p3, p6*0.4
afm     foscili kswl, p5, 1, 1.414, kndx, 1
afm     tone afm, 420
        outs afm*0.8, afm
        endin

; gull, glides from p5 to p6 Hz
        instr 5
kcry    expseg p5, p3*0.3, p5*1.22, p3*0.7, p6
kamp    linseg 0, p3*0.15, p4, p3*0.5, p4*0.7, p3*0.35, 0
agul    gbuzz kamp, kcry, 9, 1, 0.62, 4
if (kcry > 1400) then
  agul  = agul*0.8
endif
aL, aR  Place agul, p7
        outs aL, aR
garvL   += aL*0.55
garvR   += aR*0.55
        endin

; two-stroke of the pilot tender, p5 firings per second
        instr 6
kjit    randi 0.06, 3
atrg    mpulse 1, 1/(p5*(1+kjit))
adsl    reson atrg, 92, 30, 2
adsl    butterlp adsl*p4, 700
        outs adsl*0.5, adsl*0.7
        endin

; wind in the railing, p5 centre, p6 width
        instr 7
kgust   Tide 11, 0
anse    pinker
awnd    butterbp anse, p5*(0.8+kgust*0.5), p6
kfade   linseg 0, 4, p4, p3-9, p4, 5, 0
        outs awnd*kfade, awnd*kfade*0.9
        endin

; quay wall on the other side, 140 m = 0.82 s
        instr 90
abuf    delayr 1.2
aecho   deltapi 0.82
        delayw gaquay + aecho*p5
aecho   butterlp aecho, 1800
        outs aecho*p4*0.4, aecho*p4
garvL   += aecho*0.2
garvR   += aecho*0.2
gaquay  = 0
        endin

        instr 99 ; fog
aL, aR  reverbsc garvL, garvR, p5, 5200
        outs aL*p4, aR*p4
        clear garvL, garvR
        endin
</CsInstruments>
<CsScore>
; p4 is amplitude everywhere, 0dbfs = 1
f1 0 16384 10 1
f2 0 8192 10 1 0.5 0.33 0.25 0.2 0.16   ; not used since v4, the reeds are vco2 now
f4 0 16384 9 1 1 90                     ; cosine for gbuzz
f5 0 1024 7 0 512 1 512 0

; --- always on
i90   0       214     0.60    0.35
i99   0       220     0.45    0.88

; --- ebb, empty pier
i7    0       75      0.080   620     240
i7    60      90      0.110   540     .       ; freshens
i4    3.5     41      0.140   46.25   3.2
i1    6       9       0.220   8.02    0.15    ; D
i1    13.4    .       0.180   .       .
i1    20.95   .       0.200   .       .
i1    29.2    .       0.120   7.11    .       ; swell takes the clapper
i1    29.65   .       0.090   8.02    .

; --- halyards, irregular, mostly E and B
i2    24.10   1.6     0.160   9.04    0.70
i2    24.52   .       0.110   .       0.74
i2    24.87   .       0.140   9.11    0.66
i2    25.90   .       0.070   9.04    .
i2    +       .       0.090   .       0.81
i2    27.63   2.2     0.130   8.11    0.72
i2    27.91   .       .       9.04    .
i2    28.80   .       0.060   9.0450  0.69    ; loose shackle, quarter tone up
i2    31.05   1.6     0.120   9.11    0.75
i2    31.33   .       .       .       .
i2    31.60   .       0.150   9.04    .

; --- horn, first pair (Elbe 1: 3 s blast, every 30 s)
i3    36      3.4     0.420   6.10    ; B flat
i3    66      .       0.450   .
i1    38.7    9       0.210   8.02    0.15
i1    46.1    .       0.190   .       .
i1    54.3    .       0.240   .       .
i1    54.8    .       0.080   8.01    .

; --- gulls over the fish hall
i5    43.2    0.42    0.090   1180    760     0.30
i5    43.75   0.38    .       1220    790     0.34
i5    44.2    0.36    0.080   1240    .       0.40
i5    44.6    0.33    0.070   1205    740     0.46
i5    45.9    0.71    0.110   990     610     0.85
i5    49.12   0.40    0.060   1310    820     0.10
i5    +       .       .       1290    .       0.12
i5    +       .       0.050   1260    800     0.15
i5    +       0.55    0.040   1190    690     0.20    ; the old one

; --- tender leaves for the pilot station
i6    58      22      0.300   9.5
i6    78      31      0.260   13.5    ; throttle up
i6    106     12      0.120   .
i4    61.5    28      0.090   61.74   2.1
i4    88      52      0.180   38.89   4.4     ; container feeder, outbound
i4    88.4    50      0.120   38.2    4.1

; --- second horn answers, a fourth below
i3    96      3.4     0.440   6.10
i3    99.9    2.8     0.300   6.05    ; F, Neuwerk
i3    126     3.4     0.430   6.10
i3    129.9   2.8     0.310   6.05

; --- bells, flood sets in: both buoys
i1    92.2    9       0.230   8.02    0.15
i1    97.6    .       0.170   .       .
i1    101.3   11      0.150   7.09    0.88    ; buoy 32, green
i1    104.8   9       0.210   8.02    0.15
i1    109.05  11      0.140   7.09    0.88
i1    111.9   9       0.220   8.02    0.15
i1    112.35  .       0.060   8.01    .
i1    116.7   11      0.160   7.09    0.88
i1    117.2   .       0.090   7.0850  .
i1    121.4   9       0.200   8.02    0.15
i1    124.45  11      0.150   7.09    0.88
i1    131.0   9       0.240   8.02    0.15
i1    132.6   11      0.170   7.09    0.88

; --- halyards again, wind 6
i7    134     80      0.190   700     310
i2    137.20  1.2     0.180   9.04    0.70
i2    137.41  .       0.150   9.11    0.66
i2    137.60  .       0.160   9.04    0.74
i2    +       0.9     .       9.11    .
i2    +       .       0.120   9.04    .
i2    +       .       0.140   10.04   0.60    ; high one, the steel mast
i2    139.95  1.2     0.170   9.11    0.70
i2    140.12  .       .       9.04    0.72
i2    140.50  .       0.130   8.11    0.77
i2    140.93  .       0.150   9.04    0.70
i2    142.10  .       0.160   10.04   0.60
i2    142.33  .       0.100   9.11    0.66
i2    142.81  .       0.090   9.06    0.69

; --- last gulls, far
i5    148.3   0.52    0.030   1150    720     0.55
i5    149.1   0.48    0.025   1170    .       0.58
i5    152.6   0.66    0.030   980     590     0.48

; --- horn alone, then only the fog
i3    156     3.4     0.460   6.10
i3    186     3.9     0.480   .       ; longer, the valve hangs
i1    160.3   9       0.140   8.02    0.15
i1    169.9   .       0.110   .       .
i1    178.6   12      0.080   .       .
i4    163     44      0.100   43.65   2.6
i6    172     19      0.070   8.2
; tail of i99 rings out to 220
e
</CsScore>
</CsoundSynthesizer>
