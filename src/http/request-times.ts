/** Options of `http.createServer`: milliseconds for the head of a request, for all of it, and between two looks at who is late. */
export const requestTimes = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
} as const;
