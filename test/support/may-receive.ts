/** For tests without private sets. */
export const nothingIsPrivate = { mayReceive: () => true, withdraw: async () => false };
