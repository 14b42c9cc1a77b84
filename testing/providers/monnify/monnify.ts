import { createHmac } from "node:crypto";
import { type Answer, FaultyServer, type ProviderRequest } from "../faulty-server.ts";
import { deliverNotice, type SentNotice } from "../sent-notice.ts";
import { found, refuse } from "./answers.ts";
import { MonnifyBooks } from "./books.ts";
import { MonnifyPayouts } from "./payouts.ts";
import { MonnifyRefunds } from "./refunds.ts";

const INIT_TRANSACTION = "/api/v1/merchant/transactions/init-transaction";

/** A simulated Monnify: an HTTP server, its books, and the notices that it sends. */
export class Monnify {
  readonly apiKey = "MK_PROD_0123456789";
  readonly secretKey = "0123456789ABCDEF0123456789ABCDEF";
  readonly contractCode = "5867418298";
  readonly sourceAccount = "3934178936";
  readonly books = new MonnifyBooks(this.contractCode);
  readonly refunds = new MonnifyRefunds(this.books);
  readonly payouts = new MonnifyPayouts(this.sourceAccount);
  readonly wire = new FaultyServer(
    (request) => this.#answer(request),
    ({ url }) => url.pathname === INIT_TRANSACTION,
  );
  /** All notices, in the order in which they happened. */
  readonly notices: SentNotice[] = [];
  url = "";
  /** Where notices go. Without it they are only kept. */
  noticeUrl: string | null = null;
  #tokens = new Set<string>();
  #logins = 0;

  /** How often somebody logged in. */
  get logins(): number {
    return this.#logins;
  }

  /** Ends all tokens before their time. */
  expireTokens(): void {
    this.#tokens = new Set();
  }

  /** A payer sends money. Resolves to the name of the transfer in our adapter once its notice, if it has one, is acknowledged or given up. */
  async pay(accountNumber: string, kobo: number, { sender = "CHIDI OKAFOR", copies = 1 } = {}): Promise<string> {
    const { session, notice } = this.books.take(accountNumber, kobo, sender);
    if (notice && copies > 0) await this.tell(notice, copies);
    return session;
  }

  /** Sends a notice, `copies` times at once. */
  async tell(notice: object, copies = 1): Promise<void> {
    const signed = this.sign(JSON.stringify(notice));
    this.notices.push(signed);
    await Promise.all(Array.from({ length: copies }, () => this.deliver(signed)));
  }

  /** Signs a body, as Monnify does with a key of its customer. */
  sign(body: string, secretKey = this.secretKey): SentNotice {
    const signature = createHmac("sha512", secretKey).update(body).digest("hex");
    return { body, headers: { "content-type": "application/json", "monnify-signature": signature } };
  }

  /** Sends a notice until it is acknowledged, or given up. */
  deliver(notice: SentNotice): Promise<void> {
    return deliverNotice(this.noticeUrl, notice);
  }

  #logIn(authorization: string | undefined): Answer {
    const basic = `Basic ${Buffer.from(`${this.apiKey}:${this.secretKey}`).toString("base64")}`;
    if (authorization !== basic) return refuse(401, "Invalid credentials");
    const accessToken = `token-${++this.#logins}`;
    this.#tokens.add(accessToken);
    return found({ accessToken, expiresIn: 3_600 });
  }

  #answer({ method, url, headers, body }: ProviderRequest): Answer {
    const path = url.pathname;
    const asked = `${method} ${path}`;
    if (asked === "POST /api/v1/auth/login") return this.#logIn(headers.authorization);
    if (!this.#tokens.has(headers.authorization?.replace("Bearer ", "") ?? ""))
      return { status: 401, body: { error: "invalid_token", error_description: "Access token expired" } };
    const of = (name: string) => url.searchParams.get(name) ?? "";
    const refunds = "/api/v1/refunds/";
    switch (asked) {
      case `POST ${INIT_TRANSACTION}`:
        return this.books.initTransaction(body);
      case "POST /api/v1/merchant/bank-transfer/init-payment":
        return this.books.initPayment(body);
      case "GET /api/v2/merchant/transactions/query":
        return this.books.query(of("paymentReference"));
      case "POST /api/v1/refunds/initiate-refund":
        return this.refunds.initiate(body);
      case "GET /api/v2/disbursements/wallet-balance":
        return of("accountNumber") === this.sourceAccount
          ? found({ availableBalance: 1_000_000, ledgerBalance: 1_000_000 })
          : refuse(404, "Wallet was not found");
      case "GET /api/v1/banks":
        return this.payouts.listBanks();
      case "GET /api/v1/disbursements/account/validate":
        return this.payouts.validate(of("accountNumber"), of("bankCode"));
      case "POST /api/v2/disbursements/single":
        return this.payouts.single(body);
      case "GET /api/v2/disbursements/single/summary":
        return this.payouts.summary(of("reference"));
      default:
        if (method === "GET" && path.startsWith(refunds)) return this.refunds.read(decodeURIComponent(path.slice(refunds.length)));
        return { status: 404, body: { timestamp: "2026-11-17", status: 404, error: "Not Found", path } };
    }
  }
}
