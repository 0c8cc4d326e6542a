import type { Appended } from "./notification-log.ts";

export type AppendListener = (appended: Appended) => void;

/** Whom to tell of appends. What a listener throws never reaches the publisher whose notification is safe already. */
export function createAppendListeners() {
  const listeners = new Set<AppendListener>();
  return {
    add(listener: AppendListener): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell(appended: Appended): void {
      for (const listener of listeners) queueMicrotask(() => listener(appended));
    },
    clear(): void {
      listeners.clear();
    },
  };
}
