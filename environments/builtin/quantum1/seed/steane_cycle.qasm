// Colour code [[7,1,3]], one block, flagged read-out; 11 Ca-40 in the blade trap
// from memory_v3 by LK, cut down for the February runs (mrs)
OPENQASM 3.0;
include "stdgates.inc";
pragma lab chain 11 order abcdefghijk

const uint n_data = 7;
const uint n_checks = 3;
const uint n_helpers = 2;
const uint rounds = 2 * n_checks - 2;
const uint max_tries = 4;
const uint n_shots = 250; // per setting, the camera fills up beyond that
const uint[16] table_len = 64;
const uint ramsey_points = 3 * n_data;
const float stark = 0.0173; // rad per MS pulse, 12 Feb
const float leak_limit = 4e-3;
const duration pump = 18us;
const duration cool = 350us;

qubit[n_data] ion;
qubit[n_helpers] helper;
qubit flag;
qubit mon; // last ion, never shelved

bit[n_checks] last_z;
bit[n_checks] last_x;
bit[7] frame_x;
bit[7] frame_z;
input angle[20] analysis;
output bit[n_checks] final_z;

// decoder runs on the FPGA, 2.1 us for a look-up
extern lut_plain(uint, bit[n_checks]) -> bit[7];
extern lut_flagged(uint, bit[n_checks], bit) -> bit[7];
extern count_photons(uint) -> uint[12];
extern log_shot(uint, bit, bit);
extern random_bit() -> bit;

gate rxx(theta) a, b {
  h a;
  h b;
  cx a, b;
  rz(theta) b;
  cx a, b;
  h a;
  h b;
}

// the CNOT as it is played, Maslov 2017 fig. 3
gate cx_ms c, t {
  ry(pi/2) c;
  rxx(pi/2) c, t;
  rx(-pi/2) c;
  rx(-pi/2) t;
  ry(-pi/2) c;
}

gate shelve_pulse q {
  rx(pi) q;
  rz(0.35) q;
}

gate cphase_ms(phi) a, b {
  rz(phi/2) a;
  cx_ms a, b;
  rz(-phi/2) b;
  cx_ms a, b;
  rz(phi/2) b;
}

gate echo_pair a, b {
  x a;
  x b;
}

def pump_all() {
  reset ion;
  reset helper;
  reset flag;
  reset mon;
  delay[pump] ion, helper;
}

def cool_chain(uint cycles) {
  for uint k in [1:cycles] {
    box[cool] {
      reset mon;
      delay[300us] ion;
    }
    barrier ion, helper, flag;
  }
}

// Goto's encoder: h on one corner of each plaquette
def encode_zero() {
  h ion[0];
  h ion[4];
  h ion[6];
  cx_ms ion[0], ion[1];
  cx_ms ion[4], ion[5];
  cx_ms ion[6], ion[3];
  cx_ms ion[6], ion[5];
  cx_ms ion[4], ion[2];
  cx_ms ion[0], ion[3];
  cx_ms ion[4], ion[1];
  cx_ms ion[3], ion[2];
  stark_undo(8);
}

def stark_undo(uint pulses) {
  for uint k in [0:n_data - 1] {
    rz(-stark * pulses) ion[k];
  }
}

// weight-3 representative of Z on 4, 5, 6
def verify_zero() -> bit {
  bit bad;
  reset helper[0];
  cx_ms ion[4], helper[0];
  cx_ms ion[5], helper[0];
  cx_ms ion[6], helper[0];
  bad = measure helper[0];
  return bad;
}

def prepare_zero() -> uint {
  uint tries = 0;
  bit bad = 1;
  while (bad && tries < max_tries) {
    pump_all();
    encode_zero();
    bad = verify_zero();
    tries += 1;
  }
  if (bad) {
    log_shot(tries, bad, 0);
  }
  return tries;
}

def prepare_plus() -> uint {
  uint tries;
  tries = prepare_zero();
  logical_h();
  return tries;
}

def logical_h() {
  for uint k in [0:n_data - 1] {
    h ion[k];
  }
}

// transversal, S dagger on each gives logical S
def logical_s() {
  for uint k in [0:n_data - 1] {
    sdg ion[k];
  }
}

def logical_x() {
  x ion[0];
  x ion[1];
  x ion[4];
}

def logical_z() {
  z ion[0];
  z ion[3];
  z ion[6];
}

// plaquettes 0-1-2-3, 1-2-4-5, 2-3-5-6; flag couples after first and before last
def flagged_z(uint p) -> bit[2] {
  bit[2] got;
  reset helper[0];
  reset flag;
  h flag;
  switch (p) {
    case 0 {
      cx_ms ion[0], helper[0];
      cx_ms flag, helper[0];
      cx_ms ion[1], helper[0];
      cx_ms ion[2], helper[0];
      cx_ms flag, helper[0];
      cx_ms ion[3], helper[0];
    }
    case 1 {
      cx_ms ion[1], helper[0];
      cx_ms flag, helper[0];
      cx_ms ion[2], helper[0];
      cx_ms ion[4], helper[0];
      cx_ms flag, helper[0];
      cx_ms ion[5], helper[0];
    }
    default {
      cx_ms ion[2], helper[0];
      cx_ms flag, helper[0];
      cx_ms ion[3], helper[0];
      cx_ms ion[5], helper[0];
      cx_ms flag, helper[0];
      cx_ms ion[6], helper[0];
    }
  }
  h flag;
  got[0] = measure helper[0];
  got[1] = measure flag;
  return got;
}

def flagged_x(uint p) -> bit[2] {
  bit[2] got;
  reset helper[1];
  reset flag;
  h helper[1];
  if (p == 0) {
    cx_ms helper[1], ion[0];
    cx_ms helper[1], flag;
    cx_ms helper[1], ion[1];
    cx_ms helper[1], ion[2];
    cx_ms helper[1], flag;
    cx_ms helper[1], ion[3];
  } else if (p == 1) {
    cx_ms helper[1], ion[1];
    cx_ms helper[1], flag;
    cx_ms helper[1], ion[2];
    cx_ms helper[1], ion[4];
    cx_ms helper[1], flag;
    cx_ms helper[1], ion[5];
  } else {
    cx_ms helper[1], ion[2];
    cx_ms helper[1], flag;
    cx_ms helper[1], ion[3];
    cx_ms helper[1], ion[5];
    cx_ms helper[1], flag;
    cx_ms helper[1], ion[6];
  }
  h helper[1];
  got[0] = measure helper[1];
  got[1] = measure flag;
  return got;
}

// no flag; 4 MS gates instead of 6
def plain_z(uint p) -> bit {
  reset helper[0];
  if (p == 0) cx_ms ion[0], helper[0];
  else if (p == 1) cx_ms ion[4], helper[0];
  else cx_ms ion[6], helper[0];
  cx_ms ion[2], helper[0];
  if (p != 2) cx_ms ion[1], helper[0];
  if (p != 1) cx_ms ion[3], helper[0];
  if (p != 0) cx_ms ion[5], helper[0];
  return measure helper[0];
}

def plain_round(uint r) -> bit[n_checks] {
  bit[n_checks] syn;
  for uint p in {0, 2, 1} {
    syn[p] = plain_z(p);
  }
  log_shot(r, syn[0], syn[1]);
  return syn;
}

def apply_frame(bit[7] fix, bit in_x) {
  for uint k in [0:n_data - 1] {
    if (fix[k]) {
      if (in_x) {
        frame_x[k] ^= 1;
      } else {
        frame_z[k] ^= 1;
      }
    }
  }
}

def correction_round(uint r) {
  bit[2] got;
  bit raised = 0;
  bit[n_checks] syn_z;
  bit[n_checks] syn_x;
  for uint p in [0:n_checks - 1] {
    got = flagged_z(p);
    syn_z[p] = got[0];
    raised |= got[1];
  }
  if (raised) {
    syn_z = plain_round(r);
  }
  apply_frame(lut_flagged(r, syn_z, raised), 1);
  for uint p in [0:n_checks - 1] {
    got = flagged_x(p);
    syn_x[p] = got[0];
    raised |= got[1];
  }
  apply_frame(lut_flagged(r, syn_x, raised), 0);
  last_z = syn_z;
  last_x = syn_x;
  stark_undo(36);
}

// spin echo on the whole block while the helpers are read
def idle_echo(duration gap) {
  delay[gap / 2] ion;
  x ion;
  delay[gap / 2] ion;
  x ion;
}

// physical magic state on ion 2, angle acos(1/sqrt(3))
def inject_t() {
  reset ion;
  ry(0.9553166) ion[2];
  rz(pi/4) ion[2];
  cx_ms ion[2], ion[0];
  cx_ms ion[2], ion[5];
  h ion[1];
  h ion[3];
  h ion[6];
  cx_ms ion[1], ion[2];
  cx_ms ion[1], ion[4];
  cx_ms ion[1], ion[5];
  cx_ms ion[3], ion[0];
  cx_ms ion[3], ion[4];
  cx_ms ion[3], ion[5];
  cx_ms ion[6], ion[0];
  cx_ms ion[6], ion[2];
  cx_ms ion[6], ion[4];
}

def check_leakage(uint site) -> bit {
  uint[12] counts;
  shelve_pulse ion[site];
  counts = count_photons(site);
  inv @ shelve_pulse ion[site];
  return counts > 9;
}

def hide_spectators(uint first, uint last) {
  for uint k in [first:last] {
    shelve_pulse ion[k];
  }
  barrier ion;
}

def ramsey_point(uint k) -> bit {
  ry(pi/2) mon;
  delay[500us] mon;
  rz(2 * pi * k / ramsey_points) mon;
  ry(-pi/2) mon;
  return measure mon;
}

def readout_z() -> bit {
  bit[7] raw;
  raw = measure ion;
  raw ^= frame_x;
  return raw[0] ^ raw[1] ^ raw[4];
}

def readout_x() -> bit {
  bit[7] raw;
  logical_h();
  measure ion -> raw;
  raw ^= frame_z;
  return raw[0] ^ raw[3] ^ raw[6];
}

def twirl() {
  bit flip;
  flip = random_bit();
  if (flip) {
    logical_x();
  }
  flip = random_bit();
  if (flip) logical_z();
}

bit outcome;
bit check;
bit leaked = 0;
uint used;
let outer = ion[0:2:6];

cool_chain(3);
for uint k in [0:ramsey_points - 1] {
  check = ramsey_point(k);
  log_shot(k, check, 0);
}

used = prepare_plus();
twirl();
rz(analysis) mon;
for uint r in [1:rounds] {
  correction_round(r);
  idle_echo(420us);
  if (r % 2 == 0) {
    cool_chain(1);
  }
}

// MS phase on the two outer pairs, 9 Feb: 0.41 rad off
reset helper;
rx(pi/2) helper[0];
rxx(pi/4) helper[0], helper[1];
rz(0.41) helper[1];
rxx(-pi/4) helper[0], helper[1];
cphase_ms(3*pi/8) helper[0], helper[1];
ry(-0.785) helper[0];
check = measure helper[0];
measure helper[1] -> leaked;

leaked |= check_leakage(5);
outcome = readout_x();
final_z = last_z;
log_shot(used, outcome, leaked);
