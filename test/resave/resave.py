"""Reads and writes documents with programs of their formats.

python resave.py TOOL reads a JSON list of documents, each with a name and its bytes in base64, and prints a list of what
the tool makes of them: "text", the document as it writes it, in base64, or "refused", why it does not read it.
"""

import base64
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile


class Refused(Exception):
    """The tool says, in another way than by an exception, that a document has errors."""


def refuse(errors):
    for error in errors:
        raise Refused(str(error))


def adif_io(name, text):
    import adif_io as adif

    records, header = adif.read_from_string(text)
    return (str(header) + "\n" if header else "") + "\n".join(str(record) for record in records) + "\n"


def babel(name, text):
    from babel.messages import pofile

    out = io.BytesIO()
    pofile.write_po(out, pofile.read_po(io.StringIO(text), abort_invalid=True), width=60)
    return out.getvalue().decode()


def beancount(name, text):
    from beancount.parser import parser
    from beancount.scripts import format

    _, errors, _ = parser.parse_string(text)
    refuse(error.message for error in errors)
    return format.align_beancount(text)


def bibtexparser(name, text):
    import bibtexparser as bib

    library = bib.parse_string(text)
    refuse(block.error for block in library.failed_blocks)
    return bib.write_string(library)


def black(name, text):
    import black as formatter

    return formatter.format_str(text, mode=formatter.Mode(line_length=60))


def chess(name, text):
    from chess import pgn

    text, games = io.StringIO(text), []
    while game := pgn.read_game(text):
        refuse(game.errors)
        games.append(game.accept(pgn.StringExporter(columns=60)))
    return "\n\n".join(games) + "\n"


def conllu(name, text):
    import conllu as treebank

    return "".join(sentence.serialize() for sentence in treebank.parse(text))


def cpython(name, text):
    compile(text, name, "exec", dont_inherit=True)
    return text


def cpython_configparser(name, text):
    import configparser

    draft = configparser.RawConfigParser(comment_prefixes=(";",), interpolation=None)
    draft.optionxform = str
    draft.read_string(text)
    out = io.StringIO()
    draft.write(out)
    return out.getvalue()


def cpython_csv(name, text):
    import csv

    separator = max(",;\t|", key=text.partition("\n")[0].count)
    quote = "'" if text.startswith("'") else '"'
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, quotechar=quote, strict=True))
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quotechar=quote, quoting=csv.QUOTE_ALL).writerows(rows)
    return out.getvalue()


def cpython_email(name, data):
    import email.policy

    message = email.message_from_bytes(data, policy=email.policy.default)
    refuse(defect for part in message.walk() for defect in part.defects)
    return message.as_bytes()


def dnspython(name, text):
    from dns import zone

    return zone.from_text(text, origin="a.test." if "$ORIGIN" not in text else None, relativize=False, check_origin=False).to_text(relativize=False)


def fonttools(name, text):
    from fontTools.feaLib.parser import Parser

    return Parser(io.StringIO(text), glyphNames=()).parse().asFea()


def ged4py(name, data):
    from ged4py.parser import GedcomReader

    with GedcomReader(io.BytesIO(data)) as reader:
        for _ in reader.records0():
            pass
    return data


def gemmi_cif(name, text):
    from gemmi import cif

    return cif.read_string(text).as_string()


def gemmi_pdb(name, text):
    import gemmi

    structure = gemmi.read_pdb_string(text)
    return structure.make_pdb_string()


def gpxpy(name, text):
    import gpxpy as gpx

    return gpx.parse(text).to_xml()


def icalendar(name, text):
    from icalendar import Calendar

    calendar = Calendar.from_ical(text)
    refuse(error for part in calendar.walk() for error in part.errors)
    return calendar.to_ical().decode()


def lxml(name, data):
    from lxml import etree

    return etree.tostring(etree.parse(io.BytesIO(data)), method="c14n", with_comments=True)


def m3u8(name, text):
    import m3u8 as hls

    return hls.loads(text).dumps()


def make(name, text):
    with tempfile.TemporaryDirectory() as empty:
        made = subprocess.run(["make", "-rRnpf", "-"], input=text, cwd=empty, capture_output=True, text=True, timeout=20)
    refuse(line for line in made.stderr.splitlines() if "missing separator" in line or "commences" in line or "missing" in line or "extraneous" in line)
    return text


def mbake(name, text):
    from mbake.config import Config, FormatterConfig
    from mbake.core.formatter import MakefileFormatter

    lines, errors, _ = MakefileFormatter(Config(formatter=FormatterConfig())).format_lines(text.splitlines())[:3]
    refuse(errors)
    return "\n".join(lines) + "\n"


def mdformat(name, text):
    import mdformat as formatter

    return formatter.text(text, extensions={"frontmatter"})


def openqasm3(name, text):
    import openqasm3 as qasm

    return qasm.dumps(qasm.parse(text))


def polib(name, text):
    import polib as po

    catalogue = po.pofile(text, wrapwidth=60)
    return str(catalogue) + "\n"


def pydifact(name, text):
    from pydifact.segmentcollection import Interchange

    return Interchange.from_str(text).serialize(break_lines=True)


def pymarc(name, text):
    import pymarc as marc

    records = marc.parse_xml_to_array(io.StringIO(text))
    return "<collection xmlns='http://www.loc.gov/MARC21/slim'>" + "".join(marc.record_to_xml(r).decode() for r in records) + "</collection>"


def pysubs2(name, text):
    import pysubs2 as subs

    return subs.SSAFile.from_string(text, keep_html_tags=True).to_string("vtt" if name.endswith(".vtt") else "srt", keep_html_tags=True)


def python_gedcom(name, text):
    from gedcom.parser import Parser

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.ged"
        path.write_text(text)
        parser = Parser()
        parser.parse_file(str(path), strict=True)
        out = io.StringIO()
        parser.save_gedcom(out)
    return out.getvalue()


def python_ly(name, text):
    import ly.document
    import ly.indent
    import ly.reformat

    document = ly.document.Document(text)
    ly.reformat.reformat(ly.document.Cursor(document), ly.indent.Indenter())
    return document.plaintext()


def ruamel(name, text):
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.indent(mapping=4, sequence=6, offset=3)
    out = io.StringIO()
    yaml.dump_all(list(yaml.load_all(text)), out)
    return out.getvalue()


def sgp4(name, text):
    from sgp4.api import Satrec
    from sgp4.exporter import export_tle

    out, lines = [], text.splitlines()
    for title, first, second in zip(lines, lines[1:], lines[2:]):
        if first[:2] == "1 " and second[:2] == "2 ":
            satellite = Satrec.twoline2rv(first, second)
            if satellite.error:
                raise Refused(satellite.error)
            out += [title, *export_tle(satellite)]
    return "\n".join(out) + "\n"


def sqlglot(name, text):
    import sqlglot as sql

    reads = "tsql" if "mssql" in name else "mysql"
    return ";\n".join(sql.transpile(text, read=reads, write=reads, pretty=True)) + ";\n"


def srt(name, text):
    import srt as subtitles

    return subtitles.compose(subtitles.parse(text), reindex=False)


def urdf(name, text):
    from urdf_parser_py.urdf import URDF

    return URDF.from_xml_string(text).to_xml_string()


def vobject(name, text):
    import vobject as cards

    return cards.readOne(text).serialize()


def webvtt(name, text):
    import webvtt as captions

    return captions.from_string(text).content + "\n"


def xspf(name, text):
    import xspf_lib

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a.xspf"
        path.write_text(text)
        return xspf_lib.Playlist.parse(str(path)).xml_string()


def yara_x(name, text):
    import yara_x as yara

    yara.compile(text)
    out = io.BytesIO()
    yara.Formatter().format(io.BytesIO(text.encode()), out)
    return out.getvalue().decode()


OF_BYTES = {"cpython_email", "ged4py", "lxml"}


def main():
    tool = globals()[sys.argv[1]]
    answers = []
    for document in json.load(sys.stdin):
        data = base64.b64decode(document["text"])
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                made = tool(document["name"], data if sys.argv[1] in OF_BYTES else data.decode())
            made = made if isinstance(made, bytes) else made.encode()
            answers.append({"text": base64.b64encode(made).decode()})
        except Exception as error:
            answers.append({"refused": f"{type(error).__name__}: {error}"[:300]})
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
