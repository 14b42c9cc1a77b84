/** The issuer refuses a request for a reason. */
export class Refused extends Error {
  override name = "Refused";
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** The issuer has no record of the thing that the message names. */
export class Unknown extends Error {
  override name = "Unknown";
}
