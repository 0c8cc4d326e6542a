// Makes a hostile document, has it read, and says how long that took and what memory it needed at its peak. A process of its own for
// each: only so is the peak that of one document.
import process from "node:process";

const [, , dist, name] = process.argv;
const million = 1_000_000;
const size = 50 * million;
const open =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">';
const filled = (before, piece, after) => {
  const text = Buffer.alloc(size, piece);
  return Buffer.concat([Buffer.from(before), text, Buffer.from(after)]).subarray(0, 52_428_800);
};
const repeated = (before, piece, times, after) => Buffer.from(before + piece.repeat(times) + after);
const numbered = (before, piece, times, after) => {
  const pieces = Array.from({ length: times }, (_, n) => piece.replaceAll("#", n));
  return Buffer.from(before + pieces.join("") + after);
};

const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join("");
const documents = {
  "a billion laughs": () => Buffer.from(`<!DOCTYPE urlset [<!ENTITY l0 "ha">${laughs}]>${open}&l9;</urlset>`),
  "a quadratic blow-up": () =>
    Buffer.from(
      `<!DOCTYPE urlset [<!ENTITY a "${"a".repeat(100_000)}">]>${open}${"&a;".repeat(100_000)}</urlset>`,
    ),
  "a million levels": () => repeated(open, "<a>", million, ""),
  "a million levels that are closed": () =>
    Buffer.from(open + "<a>".repeat(million) + "</a>".repeat(million) + "</urlset>"),
  "a million attributes": () => numbered(`${open}<url `, "a#='' ", million, "/></urlset>"),
  "a million attributes of one name": () => repeated(`${open}<url `, "a='' ", million, "/></urlset>"),
  "a million namespaces": () => numbered(`${open}<url `, "xmlns:a#='urn:#' ", million, "/></urlset>"),
  "a million namespaces, one in another": () => numbered(open, "<a xmlns='urn:#'>", million, ""),
  "50 MB of white space before the root": () => filled("", " \n\t\r", `${open}</urlset>`),
  "50 MB of white space in the root": () => filled(open, " \n", "</urlset>"),
  "50 MB of white space in an entry": () => filled(`${open}<url><loc>`, " ", "</loc></url></urlset>"),
  "50 MB of white space in a tag": () => filled(`${open}<url`, " ", "/></urlset>"),
  "50 MB of white space in a value": () => filled(`${open}<url a="`, " ", '"/></urlset>'),
  "50 MB of white space in the declaration": () => filled("<?xml version='1.0'", " ", `?>${open}</urlset>`),
  "50 MB of one name": () => filled("<", "a", "/>"),
  "50 MB of comment": () => filled(`${open}<!--`, "- ", "--></urlset>"),
  "50 MB of comments": () => filled(open, "<!---->", ""),
  "50 MB of instructions": () => filled(open, "<?a?>", ""),
  "50 MB of broken instructions": () => filled(open, "<?a", ""),
  "50 MB of CDATA": () => filled(`${open}<![CDATA[`, "]", "]]></urlset>"),
  "50 MB of references": () => filled(`${open}<url><loc>`, "&#65;", "</loc></url></urlset>"),
  "50 MB of ampersands": () => filled(`${open}<url><loc>`, "&", "</loc></url></urlset>"),
  "50 MB of opening marks": () => filled("", "<", ""),
  "50 MB of elements of others": () => filled(open, "<a/>", ""),
  "50 MB of entries": () => filled(open, "<url/>", ""),
  "50 MB of links": () => filled(open, "<rs:ln/>", ""),
  "50 MB that are not UTF-8": () => filled(open, "\u00ff", "").fill(0xff, 200),
  "50 MB of NUL": () => Buffer.alloc(size),
  "names of Object's own": () =>
    repeated(
      open,
      '<__proto__ __proto__="1" polluted="1"><constructor prototype="1"/></__proto__><url><loc>https://e.org/</loc><rs:md __proto__="1" constructor="1" hash="__proto__:1" change="toString"/><rs:ln rel="__proto__" href="https://e.org/"/></url>',
      1000,
      "</urlset>",
    ),
};

/** The rule by which each reader refuses it, or how it ends. */
const readers = {
  validator: async (document) => {
    const { validateDocument } = await import(`${dist}/protocol/validate-document.js`);
    return validateDocument(document).faults[0]?.rule ?? "valid";
  },
  parser: async (document) => {
    const { parseDocument } = await import(`${dist}/protocol/parse-document.js`);
    return parseDocument(document).faults?.[0]?.rule ?? "parsed";
  },
  stream: async (document) => {
    const { readEntries } = await import(`${dist}/protocol/read-entries.js`);
    try {
      for await (const _part of readEntries(document));
      return "read";
    } catch (error) {
      return error.fault.rule;
    }
  },
  list: async (document) => {
    const { createResourceListReader } = await import(`${dist}/protocol/read-resource-list.js`);
    const { defaultLimits } = await import(`${dist}/protocol/reading-limits.js`);
    const list = createResourceListReader(defaultLimits);
    for (let at = 0; at < document.length; at += 65_536) list.write(document.subarray(at, at + 65_536));
    return list.end().faults?.[0]?.rule ?? "read";
  },
};

if (name === undefined) {
  process.stdout.write(JSON.stringify(Object.keys(documents)));
} else {
  const document = documents[name]();
  const before = process.resourceUsage().maxRSS;
  // Of the processor, not of the clock: the machine may be busy with other things.
  const begun = process.cpuUsage();
  const outcomes = {};
  for (const [reader, read] of Object.entries(readers)) outcomes[reader] = await read(document);
  const { user, system } = process.cpuUsage(begun);
  const milliseconds = Math.round((user + system) / 1000);
  const megabytes = Math.round((process.resourceUsage().maxRSS - before) / 1024);
  const isPolluted = {}.polluted !== undefined || Object.keys(Object.prototype).length > 0;
  process.stdout.write(JSON.stringify({ outcomes, milliseconds, megabytes, isPolluted }));
}
