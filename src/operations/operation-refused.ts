/** What an operator asked for cannot be done. Asking again does not help. */
export class OperationRefused extends Error {
  override name = "OperationRefused";
  readonly mayRetry = false;
  readonly because: "unknown" | "unusable" | "contradicts";

  constructor(because: OperationRefused["because"], message: string) {
    super(message);
    this.because = because;
  }
}
