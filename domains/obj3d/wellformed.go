package obj3d

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that each line begins with a statement of the format, and that coordinates are numbers.
var wellFormed = wellformed.All(
	wellformed.Lines(`^\s*(?:#|(?:v|vt|vn|vp|p|l|f|curv2?|surf|parm|trim|hole|scrv|sp|end|con|g|s|mg|o|deg|bmat|step|cstype|bevel|c_interp|d_interp|lod|usemtl|mtllib|shadow_obj|trace_obj|ctech|stech|call|csh|newmtl|K[adse]|Tf|Tr|d|illum|N[si]|sharpness|P[rmsc]|Pcr|aniso|anisor|norm|refl|disp|decal|bump|map_\w+)(?:\s|$))`, "no statement begins the line"),
	wellformed.Not(`^\s*v[tnp]?(?:\s+[^\s#]+)*?\s+[^\s\d.+\-#\\][^#]*$`, "a coordinate is no number"),
)
