// Reads and writes documents with programs of their formats, as resave.py does: node resave.mjs TOOL.
import { basename } from "node:path";

const text = async (stream) => {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
};

// Each tool imports what it needs and returns a function that writes a document again, or throws.
const tools = {
  async dockerfmt() {
    const { formatDockerfileContents } = await import("@reteps/dockerfmt");
    return (name, text) => formatDockerfileContents(text, { indent: 2, trailingNewline: true, spaceRedirects: false });
  },
  async hcl2json() {
    const { parse } = await import("@cdktf/hcl2json");
    return async (name, text) => {
      await parse(name, text);
      return text;
    };
  },
  async openchemlib() {
    const { Molecule } = await import("openchemlib");
    return (name, text) =>
      text
        .split(/^\$\$\$\$\n?/m)
        .filter((record) => record.trim())
        .map((record) => {
          const [mol, data] = record.split(/(?<=^M {2}END\n)/m);
          return Molecule.fromMolfile(mol).toMolfile() + (data ?? "") + (name.endsWith(".sdf") ? "$$$$\n" : "");
        })
        .join("");
  },
  async papaparse() {
    const { default: Papa } = await import("papaparse");
    return (name, text) => {
      const read = Papa.parse(text, { header: false });
      if (read.errors.length) throw new Error(read.errors[0].message);
      return Papa.unparse(read.data, { delimiter: read.meta.delimiter, newline: "\n" });
    };
  },
  async prettier() {
    const { format } = await import("prettier");
    return (name, text) => format(text, { filepath: basename(name).replace(".geojson", ".json"), proseWrap: "preserve", tabWidth: 4 });
  },
  async svgo() {
    const { optimize } = await import("svgo");
    return (name, text) => optimize(text, { js2svg: { pretty: true }, plugins: ["sortAttrs", "cleanupAttrs"] }).data;
  },
  async viz() {
    const viz = await (await import("@viz-js/viz")).instance();
    return (name, text) => {
      const made = viz.render(text, { format: "canon", engine: "dot" });
      if (made.status !== "success" || made.errors.some((e) => e.level === "error")) throw new Error(made.errors[0]?.message);
      return made.output;
    };
  },
};

const save = await tools[process.argv[2]]();
const answers = [];
for (const document of JSON.parse(await text(process.stdin))) {
  try {
    const made = await save(document.name, Buffer.from(document.text, "base64").toString());
    answers.push({ text: Buffer.from(made).toString("base64") });
  } catch (error) {
    answers.push({ refused: String(error).slice(0, 300) });
  }
}
process.stdout.write(JSON.stringify(answers));
process.exitCode = 0;
