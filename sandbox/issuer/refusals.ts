/** What the issuer will not do, in a word. */
export class Refused extends Error {
  override name = "Refused";
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** There is no such thing here. */
export class Unknown extends Error {
  override name = "Unknown";
}
