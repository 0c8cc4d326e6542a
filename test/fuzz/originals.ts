import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { change, change08, framework } from "../protocol/documents.ts";

const folder = join(import.meta.dirname, "../fixtures/documents");

/** What is mutated: the examples, and small documents with everything that XML has. */
export const originals: readonly Buffer[] = [
  ...readdirSync(folder).map((name) => readFileSync(join(folder, name))),
  ...[
    change(),
    change08(),
    framework(),
    change({ before: '\ufeff<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<!-- a --><?b c?>' }),
    `<?xml version='1.0'?><a xmlns:p="urn:p" p:q='&lt;&#x41;"' r="'"><p:b><![CDATA[<&]]]]>]]&gt;é\u{1f5fa}</p:b><?c?><!----></a>\n`,
    "<__proto__ constructor='1'><toString/><hasOwnProperty xml:lang='de'/></__proto__>",
  ].map((text) => Buffer.from(text)),
];
