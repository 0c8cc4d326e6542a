/** Whom a delivery goes to. The callback is shown by its origin only: its path may be a secret of the subscriber (w3c/websub #171). */
export interface Addressee {
  readonly channel: string;
  readonly subscription: string;
  readonly callbackOrigin: string;
}
