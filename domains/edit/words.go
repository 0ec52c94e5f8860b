package edit

import (
	"strings"

	"agentd/internal/lazyregexp"
)

// wording is what the instructions of a verb say. Words in braces are replaced by those of the format and the document.
type wording struct {
	operations        []string // of the paper's eleven
	forward, backward string
}

var (
	wordsOfSplit = wording{[]string{"split and merge", "classification"},
		"The {parts} of each {attribute} are reviewed apart. Split {file} into a file per {first}, named after it in lower case with underscores ({example}), " +
			"{parts} unchanged and in order.{rest} Every file begins and ends as {file} does. Write {table} with position,file for every {part}, from 1.",
		"One person takes over all {parts}. Merge the files, one per {first}, into {file}, which begins and ends as each of them does. {table} says from which file the {part} " +
			"at each position comes; {parts} of one file keep their order. Change nothing in them, and keep no other file."}

	wordsOfExtract = wording{[]string{"split and merge", "classification"},
		"The auditor wants the {parts} whose {first} is \"{value}\". Move these to {example} and all others to {other}, unchanged and in order; both files " +
			"begin and end as {file} does. Write {table} with position,file for every {part} of it, from 1.",
		"The audit is over. Merge {example} and {other} into {file}, which begins and ends as they do. {table} says from which file the {part} at each position comes; " +
			"{parts} of one file keep their order. Change nothing in them, and keep no other file."}

	wordsOfSort = wording{[]string{"sorting", "referencing"},
		"I have to find {parts} by {attribute}. Sort those in {file} by {first}, {how}; equal ones keep their order. Change nothing in them, nor before the first " +
			"and after the last. Write {table} with line,position: for each {part}, from 1, its position until then.",
		"Put the {parts} of {file}, which are sorted by {first}, into the order that {table} gives: its column position has the place of each {part}, in the order in which they stand. " +
			"Change nothing in them, and drop the table."}

	wordsOfRegister = wording{[]string{"referencing", "string manipulation"},
		"The {attributes} are to be kept in one list. Replace each {attribute} in the {parts} of {file} by a code: {code}1 for the first, {code}2 for the next one that " +
			"is different, and so on; equal ones share a code. Write {table} with code,text. Change nothing more.",
		"The list is no longer kept. Replace every code in {file} ({code}1, {code}2 and so on) by the {attribute} that {table} has for it. Change nothing more, and drop the table."}

	wordsOfAside = wording{[]string{"referencing", "string manipulation"},
		"A colleague will revise each {attribute} in a table. Put {code}1, {code}2 and so on in place of the {attributes} in the {parts} of {file}, a new number for " +
			"each place, in order. Write {table} with the columns code,text. Change nothing more.",
		"The colleague is done. Put the text that {table} has for each code in {file} ({code}1, {code}2 and so on) in its place. Change nothing more, and drop the table."}

	wordsOfAdd = wording{[]string{"numerical reasoning", "referencing"},
		"Every {attribute} in the {parts} of {file} was read too low. Add {amount} to each that is a decimal number without leading zeros, with the unit and " +
			"as many decimals as it has. Write {table} with value,added and one row: {attribute},{amount}. Change nothing more.",
		"The readings were right after all. Subtract from every {attribute} in the {parts} of {file} that is a decimal number without leading zeros what {table} says was added, " +
			"with the same unit and number of decimals. Change nothing more, and drop the table."}

	wordsOfJSON = wording{[]string{"format knowledge", "string manipulation"},
		"A script will read the {document}. Write {file} as {to}: an object with before and after, the text before the first {part} and after the last; {list}, a list of " +
			"objects with text, the {part} as it stands, and each of {columns}, copied from it; between, what separates them.",
		"Write {file} from {to}: the text of before, then of each object in {list} its text, with the text of between from one to the next, and the text of after. " +
			"Change nothing, and keep no other file."}

	wordsOfTable = wording{[]string{"format knowledge", "string manipulation"},
		"We want the {document} in a spreadsheet. Write {file} as {to} with the columns row,{columns},text. The first column is before, then {row} for each {part}, between, after. " +
			"Text is as it stands: before the first, of each, what separates them, after the last. The other columns are copied from it.",
		"Write {file} from {to}: the text of the row before, then the text of each {row}, with that of the row between from one to the next, and that of after. " +
			"Change nothing, and keep no other file."}

	wordsOfMarkdown = wording{[]string{"format knowledge", "string manipulation"},
		"The {document} goes into our wiki. Write {file} as {to}: its name as heading, then a section each for before (the text before the first {part}), every {part} " +
			"({part} 1, {part} 2 …), between (what separates them) and after, the text as it stands in a fence.",
		"Write {file} from {to}: the text in the fence of before, then that of each {part}, with that of between from one to the next, and that of after. " +
			"Change nothing, and keep no other file."}

	wordsOfChunks = wording{[]string{"split and merge"},
		"The {document} is too long to review at once. Split {file} into files of {every} {parts} each, in order, the last with what is left: {example} and so on. " +
			"Every file begins and ends as {file} does. Change nothing in the {parts}.",
		"The review is over. Put the {parts} of the numbered files together as {file}, in the order of the numbers. It begins and ends as each of them does. " +
			"Change nothing in the {parts}, and keep no other file."}

	wordsOfReverse = wording{[]string{"sorting"},
		"We read the {document} from its end. Turn the order of the {parts} in {file} around: the last comes first. Change nothing in them, nor before the first and after the last.",
		"We read the {document} from its other end. Turn the order of the {parts} in {file} around: the last comes first. Change nothing in them, nor before the first and after the last."}

	wordsOfClock = wording{[]string{"numerical reasoning", "referencing"},
		"All of it is put off by {length}. Add that to every {attribute} in the {parts} of {file} that is {kind}, and write it in the same way. " +
			"Write {table} with position,attribute,place,text: a row for each {attribute} that is not written in full, such as one without a leading zero.",
		"It is not put off after all. Take {length} off every {attribute} in the {parts} of {file} that is {kind}, and write it in the same way; " +
			"put the text of {table} where it has one (position is the {part}, place which {attribute} in it). Drop the table."}

	wordsOfScale = wording{[]string{"numerical reasoning", "referencing"},
		"The scale was wrong. Multiply each {attribute} in the {parts} of {file} that is a number by 1.25 and write it with two decimals more than it had, its unit unchanged. " +
			"Write {table} with position,attribute,place,text: a row for each {attribute} with leading zeros.",
		"The scale was right. Divide each {attribute} in the {parts} of {file} that is a number by 1.25 and write it with two decimals less; " +
			"put the text of {table} where it has one (position is the {part}, place which {attribute} in it). Drop the table."}

	wordsOfCases = wording{[]string{"constraint satisfaction", "split and merge"},
		"Large {attributes} are checked by somebody else. Move the {parts} of {file} with {an attribute} above {most} to {high}, all others to {low}, unchanged and in order; both " +
			"begin and end as {file} does. Write {table} with position,file,reason for every {part}, reason being above {most}, or not.",
		"The check is done. Merge {high} and {low} into {file}, which begins and ends as they do. {table} says from which file the {part} at each position comes; " +
			"{parts} of one file keep their order. Change nothing in them, and keep no other file."}

	wordsOfOrder = wording{[]string{"sorting", "referencing"},
		"I read {parts} by {attribute}. Sort those in {file} by {first}, {how}, and equal ones by {other}, {how other}, largest first. Change nothing in them, nor before the first " +
			"and after the last. Write {table} with line,position: for each {part}, from 1, its position until then.",
		"Put the {parts} of {file}, sorted by {attribute} and {other}, into the order that {table} gives: position is the place of each {part}, in the order in which they stand. " +
			"Change nothing in them, and drop the table."}

	wordsOfTaking = wording{[]string{"string manipulation", "referencing"},
		"The copy for visitors goes without {attributes}. Take each line with {an attribute} out of the {parts} of {file}, and blank lines that would end {a part}. Write {table} with " +
			"position,line,text: the number of the {part}, that of the line in it, both from 1, and the whole line.",
		"Visitors may read it all. Put the lines that {table} lists into the {parts} of {file}, in its order: each becomes the line of that number in the {part} " +
			"at that position. Change nothing more, and drop the table."}

	wordsOfNote = wording{[]string{"numerical reasoning", "domain knowledge"},
		"Readers want to see the {attribute}. Add a line to each {part} of {file} that has one, {where}, as in {example}. Change nothing more.",
		"The {attribute} is clear without a remark. Take the lines like {example} out of the {parts} of {file}. Change nothing more."}

	wordsOfTree = wording{[]string{"format knowledge", "string manipulation"},
		"A script will read the {document}. Write {file} as {to}, in JSON: {tree}. All texts are as they stand.",
		"The script is done. Write {file} from {to}, which has it in JSON: {tree}. Change nothing, and keep no other file."}

	wordsOfLines = wording{[]string{"format knowledge", "string manipulation"},
		"A script will compare the {document} line by line. Write {file} as {to}, an array of the texts of its lines, as they stand and without line ends. " +
			"The array ends with an empty text if {file} ends with a line end.",
		"Write {file} from {to}: the texts of the array as lines, with a line end between each two. Change nothing, and keep no other file."}
)

// sentence begins with a capital letter.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// WithArticle is a noun after its indefinite article, which goes by the sound that the noun begins with.
func WithArticle(noun string) string {
	if soundsAsVowel.MatchString(noun) {
		return "an " + noun
	}
	return "a " + noun
}

// soundsAsVowel matches nouns that begin with the sound of a vowel, also abbreviations that are spelt, such as MMSI.
var soundsAsVowel = lazyregexp.New(`^(?:[aeioAEIO]|u[^ins]|un[^i]|hour|hono|heir|[FHLMNRSX][B-DF-HJ-NP-TV-Z0-9])`)
