import { adminToken, type TestHub } from "./start-hub.ts";

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string;
}

/** Asks the operators' API of a hub; `path` begins below `/api/v1`, or is the URL of a next page. */
export async function operate(
  hub: Pick<TestHub, "baseUrl">,
  path: string,
  { method = "GET", body, token = adminToken }: Asked = {},
): Promise<Response> {
  const url = path.startsWith("http") ? path : `${hub.baseUrl}/api/v1${path}`;
  return await fetch(url, {
    method,
    headers: {
      ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
