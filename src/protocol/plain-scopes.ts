import type { XmlAttribute } from "./xml-element.ts";
import { resourceSyncNamespace, sitemapNamespace } from "./xml-names.ts";

const xmlNamespace = "http://www.w3.org/XML/1998/namespace";
const xmlnsNamespace = "http://www.w3.org/2000/xmlns/";

type Attribute = { -readonly [Key in keyof XmlAttribute]: XmlAttribute[Key] };

interface Scope {
  /** Empty for the default namespace. */
  readonly prefix: string;
  readonly uri: string;
  readonly outer: Scope | undefined;
}

/** A prefix or a name that the standard reserves, or an undeclaration: saxes knows what is right about them. */
function isPlainDeclaration({ prefix, local, value }: Attribute): boolean {
  if (value === "" || value.trim() !== value || value === xmlNamespace || value === xmlnsNamespace)
    return false;
  return prefix === "" || (local !== "xml" && local !== "xmlns");
}

/** Of the two that nearly every element is in: comparing a text with itself costs nothing. */
function ownCopy(uri: string): string {
  if (uri === sitemapNamespace) return sitemapNamespace;
  return uri === resourceSyncNamespace ? resourceSyncNamespace : uri;
}

/** Which namespaces hold where (Namespaces in XML §6). */
export class PlainScopes {
  #inner: Scope | undefined;
  readonly #outside: (Scope | undefined)[] = [];

  /**
   * Enters an element: takes its declarations and gives its attributes their namespaces. Returns the element's own, or
   * `undefined` where a prefix is not declared, a declaration is unusual, or two attributes may have the same name.
   */
  enter(prefix: string, attributes: readonly Attribute[]): string | undefined {
    this.#outside.push(this.#inner);
    for (const attribute of attributes) {
      const isDefault = attribute.name === "xmlns";
      if (!isDefault && attribute.prefix !== "xmlns") continue;
      if (!isPlainDeclaration(attribute)) return undefined;
      attribute.uri = xmlnsNamespace;
      const prefixed = isDefault ? "" : attribute.local;
      this.#inner = { prefix: prefixed, uri: ownCopy(attribute.value), outer: this.#inner };
    }
    let isFirst = true;
    for (const attribute of attributes) {
      if (attribute.prefix === "" || attribute.prefix === "xmlns") continue;
      const uri = this.#resolve(attribute.prefix);
      if (uri === undefined || !isFirst) return undefined;
      attribute.uri = uri;
      isFirst = false;
    }
    if (prefix === "xmlns") return undefined;
    return this.#resolve(prefix) ?? (prefix === "" ? "" : undefined);
  }

  leave(): void {
    this.#inner = this.#outside.pop();
  }

  #resolve(prefix: string): string | undefined {
    for (let scope = this.#inner; scope !== undefined; scope = scope.outer) {
      if (scope.prefix === prefix) return scope.uri;
    }
    return undefined;
  }
}
