package robotics

import "testing"

func TestDegrees(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		`<joint name="a"><origin rpy="0 -0.0349 -0.00001" xyz="1 2 3"/></joint>`: "0.00 -2.00 0.00",
		`<joint name='a'><origin rpy='-1.570796 0 1.5708'/></joint>`:             "-90.00 0.00 90.00",
		`<joint name="a"><origin xyz="0 0 1"/></joint>`:                          "",
		`<joint name="a"><origin rpy="0 ${pi} 0"/></joint>`:                      "",
		`<joint name="a"><origin rpy="0 1"/></joint>`:                            "",
		`<link name="a"><visual><origin rpy="0 0 1"/></visual></link>`:           "",
	} {
		if got := degrees(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}
