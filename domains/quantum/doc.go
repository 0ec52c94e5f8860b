// Package quantum is the domain of OpenQASM 3 programs: constants, registers,
// extern declarations, gate definitions, subroutines and the operations of the
// program itself. The subroutine (`def`) is what is counted; of a program without
// any, the operation at top level.
//
// The published score reads each file by the grammar of OpenQASM 3.1 and compares
// declarations and the bodies of gates and subroutines in canonical spelling. A file
// that does not follow the grammar is searched by patterns. The program at top level
// and comments play no part. Strict reads statements with their blocks: every
// declaration, every operation with its angles and qubits in its place, every
// comment. The order of definitions, layout, and the spelling of what means the same
// are free.
package quantum
