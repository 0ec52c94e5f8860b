package hamradio

import "agentd/domains/edit"

// vocabulary makes parts of contacts. No field gets a code: its length stands before it.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "log", Part: "contact", Parts: "contacts",
		Cut: edit.Inline(`(?i)<\w+:\d+(?::\w)?>(?s:.*?)<eor>`, `(?i)\A(?s:.*?)<eoh>`, ""),
		Attributes: []edit.Attribute{
			valueOf("mode", "modes", "mode"), valueOf("band", "bands", "band"), valueOf("call sign", "call signs", "call"),
			valueOf("date", "dates", "qso_date"), valueOf("time on", "times on", "time_on"), valueOf("frequency", "frequencies", "freq"),
			valueOf("operator", "operators", "operator"), valueOf("grid square", "grid squares", "gridsquare"), valueOf("received report", "received reports", "rst_rcvd"),
			valueOf("end date", "end dates", "qso_date_off"), valueOf("CQ zone", "CQ zones", "cqz"),
			valueOf("LoTW received", "LoTWs received", "lotw_qsl_rcvd"), valueOf("QSL received", "QSLs received", "qsl_rcvd"),
			edit.Computed("comment", "comments", fieldOf("COMMENT")),
			edit.Computed("confirmations", "lists of confirmations", confirmations),
			edit.ComputedNumber("distance", "distances", distance),
		},
	}
}

// valueOf is the value of a field.
func valueOf(name, plural, field string) edit.Attribute {
	return edit.Key(name, plural, `(?i)<`+field+`:\d+(?::\w)?>([^<\s]+)`)
}
