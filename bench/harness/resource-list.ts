const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">\n' +
  '<rs:ln rel="up" href="https://example.org/capabilitylist.xml"/>\n<rs:md capability="resourcelist" at="2020-01-02T00:00:00Z"/>\n';

const path = "/collections/maps/sheets".repeat(8);

/** A Resource List of `entries` entries, of about `bytes` bytes each (at least 100, at most 1,500). */
export function resourceList(entries: number, bytes: number): Buffer {
  const parts = [head];
  for (let entry = 0; entry < entries; entry += 1) parts.push(entryOf(entry, bytes));
  parts.push("</urlset>\n");
  return Buffer.from(parts.join(""));
}

function entryOf(entry: number, bytes: number): string {
  const loc = `<url><loc>https://example.org/records/items/${entry}</loc><lastmod>2020-01-01T00:00:00Z</lastmod>`;
  if (bytes < 300) return `${loc}</url>\n`;
  let text = `${loc}<rs:md hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="${entry}" type="text/html"/>`;
  // Few and long: a document may have ten elements of ours for each of its entries.
  for (let mirror = 0; text.length + 300 < bytes; mirror += 1) {
    text += `<rs:ln rel="duplicate" pri="${mirror + 1}" href="https://mirror-${mirror}.example.org${path}/${entry}"/>`;
  }
  return `${text}</url>\n`;
}
