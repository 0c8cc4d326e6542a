const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">\n';

const epoch = Date.parse("2020-01-01T00:00:00Z");
const at = (number: number): string => new Date(epoch + number * 1000).toISOString();

/** A change notification of exactly `bytes` bytes (at least 600); successive numbers have adjoining intervals. */
export function notification(number: number, bytes = 2048): Buffer {
  const metadata = `<rs:md capability="change-notification" from="${at(number)}" until="${at(number + 1)}"/>\n`;
  let text = head + metadata;
  const end = "</urlset>\n";
  for (let entry = 0; ; entry += 1) {
    const url = `<url><loc>https://example.org/records/${number}/${entry}</loc><lastmod>${at(number)}</lastmod><rs:md change="updated" datetime="${at(number)}" hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="${1000 + entry}" type="text/html"/></url>\n`;
    if (text.length + url.length + end.length + 9 > bytes) break;
    text += url;
  }
  const filling = bytes - text.length - end.length - "<!---->\n".length;
  return Buffer.from(`${text}<!--${" ".repeat(Math.max(0, filling))}-->\n${end}`);
}

const numberAt = head.length + '<rs:md capability="change-notification" from="'.length;
const dateLength = at(0).length;

/** The number that a notification was made with. */
export function numberOf(payload: Buffer | string): number {
  const date =
    typeof payload === "string"
      ? payload.slice(numberAt, numberAt + dateLength)
      : payload.toString("latin1", numberAt, numberAt + dateLength);
  return (Date.parse(date) - epoch) / 1000;
}
