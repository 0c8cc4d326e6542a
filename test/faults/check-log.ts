import { type Observed, type Publication, type Violation } from "./observed.ts";

/** The log at the end against what publishers were told. */
export function checkLog({ publications, log, losses }: Observed): Violation[] {
  const violations: Violation[] = [];
  const found = (rule: Violation["rule"], detail: string): void => {
    violations.push({ rule, who: "log", detail });
  };
  const byDigest = new Map(publications.map((publication) => [publication.digest, publication]));
  const places = new Map<string, string>();
  for (const [index, { sequence, position, digest }] of log.entries()) {
    if (sequence !== index + 1) found("hole", `${sequence} stands where ${index + 1} is due`);
    const publication = byDigest.get(digest);
    if (publication === undefined) found("altered", `nobody published what stands at ${position}`);
    if (publication?.outcome === "refused") found("refused-delivered", `${position} had been refused`);
    const before = places.get(digest);
    if (before !== undefined) found("appended-twice", `${before} and ${position} are the same document`);
    places.set(digest, position);
  }
  for (const publication of publications) {
    if (publication.outcome !== "acknowledged") continue;
    const place = places.get(publication.digest);
    if (place === undefined) {
      if (!losses.some((loss) => isWithin(publication, loss)))
        found("lost", `${publication.position} was acknowledged`);
    } else if (place !== publication.position && losses.length === 0) {
      found("altered", `${publication.position} was acknowledged, it stands at ${place}`);
    }
  }
  return violations;
}

const isWithin = ({ at = 0 }: Publication, { since, until }: Observed["losses"][number]): boolean =>
  at >= since && at <= until;
