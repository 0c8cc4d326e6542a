import { type HubAnswer, type HubRequestOptions, postHubForm } from "./post-hub-form.ts";

export interface PingRequest extends HubRequestOptions {
  readonly hub: string | URL;
  /** The URLs that changed. */
  readonly topics: readonly string[];
}

/**
 * Tells a hub that topics have changed, for a Source that serves them itself: the hub fetches them (`hub.mode=publish`, with
 * `hub.url` for each). Throws `HubUnreachable`.
 */
export async function ping(request: PingRequest): Promise<HubAnswer> {
  const { hub, topics } = request;
  const fields = topics.map((topic): [string, string] => ["hub.url", topic]);
  return postHubForm(hub, [["hub.mode", "publish"], ...fields], request);
}
