/** A host that only this machine can reach. IPv6 with or without brackets. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);
