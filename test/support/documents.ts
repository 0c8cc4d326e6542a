/** Notifications about a small catalogue of historic maps, valid unless a test says otherwise. */

const origin = "https://maps.example.org";
const day = Date.UTC(2026, 10, 20);

const time = (minute: number): string => new Date(day + minute * 60_000).toISOString().replace(".000Z", "Z");

/** The `number`th change notification of a series: ten-minute intervals that adjoin, one changed map in each. */
export function changeNotification(number: number, { padding = "" }: { padding?: string } = {}): string {
  const from = number * 10;
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="${origin}/capabilitylist.xml"/>
  <rs:md capability="change-notification" from="${time(from)}" until="${time(from + 10)}"/>
  <url>
    <loc>${origin}/maps/${number}</loc>
    <rs:md change="updated" datetime="${time(from + 5)}"/>
  </url>${padding}
</urlset>
`;
}

/** A framework notification that says when, so that each `number` is a document of its own. */
export function frameworkNotification(number: number): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="${origin}/capabilitylist.xml"/>
  <rs:md capability="framework-notification"/>
  <url>
    <loc>${origin}/resourcelist.xml</loc>
    <rs:md change="updated" capability="resourcelist" datetime="${time(number)}"/>
  </url>
</urlset>
`;
}
