import { createHmac } from "node:crypto";
import { type Answer, FaultyServer, type ProviderRequest } from "../faulty-server.ts";
import { deliverNotice, type SentNotice } from "../sent-notice.ts";
import { found, refuse } from "./answers.ts";
import { SquadBooks } from "./books.ts";
import { SquadPayouts } from "./payouts.ts";

/** A simulated Squad: an HTTP server, its books, and the notices that it sends. */
export class Squad {
  readonly secretKey = "sk_0123456789abcdef0123456789abcdef01234567";
  readonly merchantId = "SBOJA";
  readonly books = new SquadBooks();
  readonly payouts = new SquadPayouts(this.merchantId);
  readonly wire = new FaultyServer((request) => this.#answer(request));
  /** All notices, in the order in which they happened. */
  readonly notices: SentNotice[] = [];
  url = "";
  /** Where notices go. Without it they are only kept. */
  noticeUrl: string | null = null;
  /** The notices that Squad could not deliver, as its log has them. */
  readonly undelivered: { id: string; payload: object; transaction_ref: string }[] = [];

  /** A payer sends money. Resolves to the name of the transfer in readings once its notice, sent `copies` times at once, is acknowledged or given up. */
  async pay(accountNumber: string, kobo: number, { sender = "CHIDI OKAFOR", copies = 1 } = {}): Promise<string> {
    const { session, notice } = this.books.take(accountNumber, kobo, sender);
    if (copies > 0) {
      const signed = this.sign(notice);
      this.notices.push(signed);
      await Promise.all(Array.from({ length: copies }, () => this.deliver(signed)));
    }
    return session;
  }

  /** Signs three fields of a notice, as Squad does with a key of its customer. */
  sign(notice: Record<string, unknown>, secretKey = this.secretKey): SentNotice {
    const { transaction_reference, amount_received, merchant_reference } = notice;
    const signed = JSON.stringify({ transaction_reference, amount_received, merchant_reference });
    const signature = createHmac("sha512", secretKey).update(signed).digest("hex");
    return { body: JSON.stringify(notice), headers: { "content-type": "application/json", "x-squad-encrypted-body": signature } };
  }

  /** Sends a notice until it is acknowledged, or given up. */
  deliver(notice: SentNotice): Promise<void> {
    return deliverNotice(this.noticeUrl, notice);
  }

  #answer({ method, url, headers, body }: ProviderRequest): Answer {
    if (headers.authorization !== `Bearer ${this.secretKey}`) return refuse(401, "");
    const path = url.pathname;
    const reads = "/virtual-account/get-dynamic-virtual-account-transactions/";
    if (method === "GET" && path.startsWith(reads)) return this.books.requery(decodeURIComponent(path.slice(reads.length)));
    switch (`${method} ${path}`) {
      case "POST /virtual-account/initiate-dynamic-virtual-account":
        return this.books.initiate(body);
      case "POST /payout/account/lookup":
        return this.payouts.lookup(body);
      case "POST /payout/transfer":
        return this.payouts.transfer(body);
      case "POST /payout/requery":
        return this.payouts.requery(body);
      case "GET /virtual-account/count-dynamic-virtual-accounts":
        return found({ count_dynamic_virtual_account: this.books.poolSize() });
      case "GET /virtual-account/webhook/logs":
        return found(this.undelivered);
      case "GET /merchant/balance":
        return found({ balance: "100000000", currency_id: "NGN", merchant_id: this.merchantId });
      default:
        return refuse(404, "Invalid request");
    }
  }
}
