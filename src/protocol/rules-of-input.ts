import type { RuleFacts } from "./rule.ts";
import type { Refusal } from "./refusal.ts";

const ours = "limit of this hub";

/** X and W: what must hold before any other rule can be asked. The reader itself checks these. */
export const rulesOfInput: readonly (RuleFacts & { readonly id: Refusal["rule"] })[] = [
  {
    id: "X01",
    severity: "error",
    sentence: "The document is not empty, well-formed, and keeps to Namespaces in XML.",
    source: "XML 1.0; Namespaces in XML 1.0",
  },
  {
    id: "X02",
    severity: "error",
    sentence: "The encoding is UTF-8, declared as such or not declared.",
    source: "Sitemap protocol",
  },
  {
    id: "X03",
    severity: "error",
    sentence: "There is no DOCTYPE and no entity declaration.",
    source: "rule of this hub",
  },
  {
    id: "X04",
    severity: "error",
    sentence: "A document has at most 50,000 entries.",
    source: "ResourceSync 1.1 §7",
  },
  {
    id: "X05",
    severity: "error",
    sentence: "A document has at most 50 MB, or what the hub's operator allows.",
    source: "ResourceSync 1.1 §7",
  },
  { id: "W01", severity: "error", sentence: "Elements are not nested too deeply.", source: ours },
  { id: "W02", severity: "error", sentence: "An element has not too many attributes.", source: ours },
  { id: "W03", severity: "error", sentence: "No value, name or comment is too long.", source: ours },
  { id: "W04", severity: "error", sentence: "A document has not too many elements.", source: ours },
];
