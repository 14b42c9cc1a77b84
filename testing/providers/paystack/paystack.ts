import { createHmac } from "node:crypto";
import { type Answer, FaultyServer, type ProviderRequest } from "../faulty-server.ts";
import { deliverNotice, type SentNotice } from "../sent-notice.ts";
import { found, refuse } from "./answers.ts";
import { PaystackBooks } from "./books.ts";
import { PaystackPayouts } from "./payouts.ts";

/** A simulated Paystack: an HTTP server, its books, and the notices that it sends. */
export class Paystack {
  readonly secretKey = "sk_live_0123456789abcdef0123456789abcdef01234567";
  readonly books = new PaystackBooks();
  readonly payouts = new PaystackPayouts();
  readonly wire = new FaultyServer((request) => this.#answer(request));
  /** All notices, in the order in which they happened. */
  readonly notices: SentNotice[] = [];
  url = "";
  /** Where notices go. Without it they are only kept. */
  noticeUrl: string | null = null;

  /**
   * A payer sends money. Resolves to Paystack's id of the transaction once its notice, if it has one, is acknowledged or given up. It is sent `copies`
   * times at once.
   */
  async pay(accountNumber: string, kobo: number, { sender = "CHIDI OKAFOR", copies = 1 } = {}): Promise<string> {
    const { id, notice } = this.books.take(accountNumber, kobo, sender);
    if (notice && copies > 0) {
      const signed = this.sign(JSON.stringify(notice));
      this.notices.push(signed);
      await Promise.all(Array.from({ length: copies }, () => this.deliver(signed)));
    }
    return id;
  }

  /** Ends a payout, and tells of it. */
  async finishPayout(reference: string, status: "success" | "failed" | "reversed"): Promise<void> {
    const signed = this.sign(JSON.stringify(this.payouts.finish(reference, status)));
    this.notices.push(signed);
    await this.deliver(signed);
  }

  /** Signs a body, as Paystack does with a key of its customer. */
  sign(body: string, secretKey = this.secretKey): SentNotice {
    const signature = createHmac("sha512", secretKey).update(body).digest("hex");
    return { body, headers: { "content-type": "application/json", "x-paystack-signature": signature } };
  }

  /** Sends a notice until it is acknowledged, or given up. */
  deliver(notice: SentNotice): Promise<void> {
    return deliverNotice(this.noticeUrl, notice);
  }

  #answer({ method, url, headers, body }: ProviderRequest): Answer {
    if (headers.authorization !== `Bearer ${this.secretKey}`) return refuse(401, "Invalid key");
    const [resource, name = "", last = ""] = url.pathname.slice(1).split("/").map(decodeURIComponent);
    switch (`${method} /${resource}`) {
      case "POST /charge":
        return this.books.charge(body);
      case "GET /charge":
        return this.books.checkCharge(name);
      case "GET /transaction":
        return name === "verify" ? this.books.verify(last) : refuse(404, "Invalid request");
      case "POST /refund":
        return this.books.refund(body);
      case "GET /refund":
        return this.books.listRefunds(url.searchParams.get("transaction") ?? "");
      case "GET /bank":
        return name === "resolve"
          ? this.payouts.resolve(url.searchParams.get("account_number") ?? "", url.searchParams.get("bank_code") ?? "")
          : this.payouts.listBanks(url.searchParams.get("next"));
      case "POST /transferrecipient":
        return this.payouts.makeRecipient(body);
      case "POST /transfer":
        return this.payouts.transfer(body);
      case "GET /transfer":
        return name === "verify" ? this.payouts.verify(last) : refuse(404, "Invalid request");
      case "GET /balance":
        return found("Balances retrieved", [{ currency: "NGN", balance: 1_000_000 }]);
      default:
        return refuse(404, "Invalid request");
    }
  }
}
