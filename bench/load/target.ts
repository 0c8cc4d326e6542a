/** Where to publish, and where to read. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly token: string;
}
