import * as fc from "fast-check";

/** Documents that are well-formed by the way they are made, in as many ways as XML 1.0 and Namespaces allow. */
export const wellFormedDocument: fc.Arbitrary<string> = (() => {
  const startCharacter = fc.constantFrom(...Array.from("abzAZ_éßΩжक中\u{10000}"));
  const nameCharacter = fc.constantFrom(...Array.from("abz09.-_·é\u0301中\u{10000}"));
  const ncName = fc
    .tuple(startCharacter, fc.array(nameCharacter, { maxLength: 6 }))
    .map(([first, rest]) => first + rest.join(""))
    .filter((name) => !/^xml/i.test(name));
  const special = fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "urlset",
    "url",
    "loc",
  );
  const local = fc.oneof({ weight: 4, arbitrary: ncName }, { weight: 1, arbitrary: special });
  const space = fc.constantFrom(" ", "\n", "\t", "\r\n", "  ");
  const anySpace = fc.oneof(fc.constant(""), space);

  const character = fc.oneof(
    fc.constantFrom(
      ...Array.from("aZ0 \n\t\r'\"/=;#?![]{}-é中\u0085\u00a0\u2028\ufffd\u{1f5fa}\u{1fffe}\u007f"),
    ),
    fc.constantFrom(
      "&amp;",
      "&lt;",
      "&gt;",
      "&apos;",
      "&quot;",
      "&#9;",
      "&#x10FFFF;",
      "&#xe9;",
      "&#13;",
      "&#x1F5FA;",
    ),
  );
  const text = fc
    .array(character, { maxLength: 12 })
    .map((parts) => parts.join(""))
    // What must not stand in text (XML 1.0 §2.4).
    .map((joined) => joined.replaceAll("]]>", "]]&gt;"));
  const attributeValue = fc
    .tuple(fc.array(character, { maxLength: 8 }), fc.constantFrom("'", '"'))
    .map(
      ([parts, quote]) =>
        quote + parts.join("").replaceAll(quote, quote === "'" ? "&apos;" : "&quot;") + quote,
    );
  const plain = fc.string({ unit: "grapheme-ascii", maxLength: 12 });
  const comment = plain.map((inner) => `<!--${inner.replaceAll("-", "~")}-->`);
  const instruction = fc
    .tuple(ncName, fc.option(fc.tuple(space, plain), { nil: undefined }))
    .map(([target, rest]) =>
      rest === undefined ? `<?${target}?>` : `<?${target}${rest[0]}${rest[1].replaceAll("?", "!")}?>`,
    );
  const cdata = plain.map((inner) => `<![CDATA[${inner.replaceAll("]", "[")}]]>`);
  const aside = fc.oneof(comment, instruction, anySpace);

  const attribute = fc.tuple(
    fc.constantFrom("", "p:", "xml:"),
    local,
    attributeValue,
    space,
    anySpace,
    anySpace,
  );
  const { element } = fc.letrec<{ element: string; node: string }>((tie) => ({
    node: fc.oneof({ maxDepth: 5, depthSize: "small" }, text, aside, cdata, tie("element")),
    element: fc
      .tuple(
        fc.constantFrom("", "", "p:", "rs:"),
        local,
        fc.array(attribute, { maxLength: 4 }),
        fc.array(tie("node"), { maxLength: 4 }),
        anySpace,
        fc.boolean(),
        fc.constantFrom(
          "",
          "",
          " xmlns=''",
          " xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'",
          " xmlns:p='urn:q'",
          " xmlns:p='urn:q&amp;r&#47;&#x73;'",
          " xmlns='http://www.sitemaps.org/schemas/sitemap/0&#x2e;9'",
          ' xmlns:rs="http://www.openarchives.org/rs/terms&#47;"',
        ),
      )
      .map(([prefix, name, attributes, nodes, end, isEmpty, declaration]) => {
        const seen = new Set<string>();
        const written = attributes
          // `xml:id` and `xml:space` have rules of their own.
          .filter(([before, own]) => before !== "xml:" || own.length > 5)
          .filter(([before, own]) => !seen.has(before + own) && seen.add(before + own))
          .map(([before, own, value, lead, left, right]) => `${lead}${before}${own}${left}=${right}${value}`)
          .join("");
        const tag = `${prefix}${name}`;
        // One text must not end in "]]" with ">" in the next.
        const content = nodes.map((node) => node.replaceAll(/\]+$/g, "")).join("<!---->");
        const open = `<${tag}${declaration}${written}${end}`;
        return isEmpty ? `${open}/>` : `${open}>${content}</${tag}${end}>`;
      }),
  }));

  const declaration = fc.constantFrom(
    "",
    '<?xml version="1.0"?>',
    "<?xml version='1.0' encoding='UTF-8'?>",
    "<?xml\nversion = '1.0'\tencoding=\"utf-8\" standalone='yes' ?>",
    "\ufeff",
    '\ufeff<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
  );
  return fc
    .tuple(declaration, fc.array(aside, { maxLength: 2 }), element, fc.array(aside, { maxLength: 2 }))
    .map(([first, before, inner, after]) => {
      const root = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/" xmlns:p="urn:p">${inner}</urlset>`;
      return first + before.join("") + root + after.join("");
    });
})();
