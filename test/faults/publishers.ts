import { Agent } from "node:http";
import { pause } from "./control.ts";
import type { Publication } from "./observed.ts";
import { digestOf, documentOf, refusedDocumentOf } from "./payload.ts";
import { type PublishAnswer, publishOnce } from "./publish-once.ts";
import type { Random } from "./random.ts";

/** Sources that publish side by side, each one document after the other, and send again what was not answered. */
export interface Publishers {
  readonly publications: readonly Publication[];
  /** Answers of the hub that it must not give, in words. */
  readonly faults: readonly string[];
  /** 503s. */
  readonly turnedAway: () => number;
  /** Lets each finish the document that it is at; `false` where one does not get an answer in time. */
  finish(seconds: number): Promise<boolean>;
}

interface Options {
  readonly publishers: number;
  /** Milliseconds between two documents of a publisher, on average. */
  readonly pace: number;
  /** Where hubs listen; who gets no answer goes to the next. */
  readonly ports: readonly number[];
  readonly path: string;
  readonly token: string;
  readonly random: Random;
}

/** Every so many documents one comes that the hub must refuse. */
const refusedEvery = 12;
const largeEvery = 25;
/** Shorter than the hub asks for: a round does not last so long. Milliseconds. */
const longestWait = 150;

export function startPublishers({ publishers, pace, ports, path, token, random }: Options): Publishers {
  const publications: Publication[] = [];
  const faults: string[] = [];
  const agent = new Agent({ keepAlive: true });
  const [stopping, givingUp] = [new AbortController(), new AbortController()];
  let [number, turnedAway] = [0, 0];

  /** What the answer makes of the document; `undefined` where it is to be sent again. */
  async function settle(answer: PublishAnswer | undefined, digest: string, mustBeRefused: boolean) {
    if (answer === undefined) {
      await pause(random.between(20, 60));
      return undefined;
    }
    const { status, text, retryAfter } = answer;
    if (status === 503) {
      turnedAway += 1;
      if (!/^\d+$/.test(retryAfter ?? "")) faults.push("a publisher got 503 without Retry-After");
      await pause(Math.min(Number(retryAfter ?? 0) * 1000, random.between(50, longestWait)));
      return undefined;
    }
    if (mustBeRefused ? status !== 400 && status !== 422 : status !== 202)
      faults.push(`a publisher got ${status}, not ${mustBeRefused ? "400 or 422" : "202"}: ${text}`);
    return status === 202 ? acknowledged(digest, text) : refused(digest);
  }

  async function publish(body: Buffer, mustBeRefused: boolean, first: number): Promise<void> {
    const digest = digestOf(body);
    let settled: Publication | undefined;
    for (let at = first; settled === undefined && !givingUp.signal.aborted; at += 1) {
      const port = ports[at % ports.length] ?? 0;
      settled = await settle(await publishOnce({ port, path, token, agent, body }), digest, mustBeRefused);
    }
    publications.push(settled ?? (mustBeRefused ? refused(digest) : { digest, outcome: "unknown" }));
  }

  async function work(first: number): Promise<void> {
    while (!stopping.signal.aborted) {
      number += 1;
      const own = number;
      const bytes = own % largeEvery === 0 ? 60_000 : random.between(700, 4000);
      if (own % refusedEvery === 0) await publish(refusedDocumentOf(own), true, first);
      else await publish(documentOf(own, bytes), false, first);
      await pause(random.between(0, 2 * pace));
    }
  }

  const working = Promise.all(Array.from({ length: publishers }, (_, index) => work(index)));
  return {
    publications,
    faults,
    turnedAway: () => turnedAway,
    async finish(seconds) {
      stopping.abort();
      const timer = setTimeout(() => givingUp.abort(), seconds * 1000);
      await working;
      clearTimeout(timer);
      agent.destroy();
      return !givingUp.signal.aborted;
    },
  };
}

const refused = (digest: string): Publication => ({ digest, outcome: "refused" });

function acknowledged(digest: string, text: string): Publication {
  const position = /"position":"([^"]+)"/.exec(text)?.[1];
  return { digest, outcome: "acknowledged", at: Date.now(), ...(position === undefined ? {} : { position }) };
}
