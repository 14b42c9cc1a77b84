/** The aggregator refuses a request for a reason. */
export class Refused extends Error {
  override name = "Refused";
  readonly reason: "no_such_product" | "price_changed" | "no_such_customer";

  constructor(reason: Refused["reason"]) {
    super(reason);
    this.reason = reason;
  }
}
