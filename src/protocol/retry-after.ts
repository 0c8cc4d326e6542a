/** Nobody who answers can hold us back for longer. */
const maxMilliseconds = 3_600_000;

/** Milliseconds that a `Retry-After` field asks for, at most an hour: seconds, or a date (RFC 9110 §10.2.3). */
export function retryAfterOf(field: string | undefined, now: number): number | undefined {
  const text = (field ?? "").trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxMilliseconds);
  // Every form of HTTP-date begins with the name of a day; Date.parse alone takes "1.5" for a month.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - now, 0), maxMilliseconds);
}
