import { Transform } from "node:stream";

/** What bytes must pass on their way through the proxy. */
export interface Gate {
  /** Milliseconds that each piece takes. */
  delay: number;
  /** While it is closed, bytes wait. */
  isOpen(): boolean;
  close(): void;
  open(): void;
  through(): Transform;
}

export function createGate(): Gate {
  let opened: Promise<void> | undefined;
  let letThrough = (): void => {};
  const gate: Gate = {
    delay: 0,
    isOpen: () => opened === undefined,
    close() {
      opened ??= new Promise((resolve) => (letThrough = resolve));
    },
    open() {
      letThrough();
      opened = undefined;
    },
    through: () =>
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          const pass = (): void => done(null, chunk);
          if (opened !== undefined) void opened.then(pass);
          else if (gate.delay > 0) setTimeout(pass, gate.delay);
          else pass();
        },
      }),
  };
  return gate;
}
