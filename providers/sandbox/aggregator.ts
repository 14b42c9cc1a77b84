import { z } from "zod";
import { naira } from "#lib/money.ts";
import { isSigned } from "#lib/signature.ts";
import type { Aggregator, CatalogueItem, Order, PurchaseOutcome } from "../aggregator.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import { type Reply, signedCalls } from "./signed-calls.ts";

const reference = z.string().regex(/^\w{1,64}$/);

const ProductsReply = z.object({
  products: z.array(
    z.object({
      service: z.enum(["airtime", "data", "cable", "electricity", "exam"]),
      code: z.string().min(1),
      name: z.string().min(1),
      brand: z.string().min(1),
      variant: z.string().optional(),
      size: z.string().optional(),
      validity: z.string().optional(),
      naira: z.number().positive().optional(),
      hasLetters: z.boolean().optional(),
    }),
  ),
});
const CustomerReply = z.object({
  code: z.string(),
  recipient: z.string(),
  name: z.string().min(1),
  address: z.string().nullable(),
  plan: z.string().nullable(),
});
const OrderReply = z.object({
  order: z.string(),
  code: z.string(),
  recipient: z.string().nullable(),
  kobo: z.string(),
  state: z.string(),
  tokens: z.array(z.string().regex(/^\d{20}$/)).default([]),
  units: z.string().nullable().default(null),
  pins: z.array(z.object({ serial: z.string().min(1), pin: z.string().min(1) })).default([]),
});
const RefusalReply = z.object({ error: z.string() });
/** Returns whether a reply is the aggregator's own error, and not the error of a gateway in between. */
const isNotFound = (reply: Reply | undefined, error: string) =>
  reply?.status === 404 && RefusalReply.safeParse(reply.body).data?.error === error;
const Notice = z.object({ order: reference });

interface Connection {
  url: string;
  requestSecret: string;
  noticeSecret: string;
}

/** Returns the adapter of the built-in test aggregator. */
export function sandboxAggregator({ url, requestSecret, noticeSecret }: Connection): Aggregator {
  const call = signedCalls(`${url}/sandbox/aggregator`, requestSecret);
  const ask = async (operation: string, body: Record<string, unknown>): Promise<Reply | undefined> =>
    call(operation, body).catch(() => undefined);

  return withCleanWords({
    name: "sandbox",
    capabilities: { visibleWithinMs: 10_000 },

    async listProducts() {
      const reply = await ask("products", {});
      const parsed = ProductsReply.safeParse(reply?.body);
      if (reply?.status !== 200 || !parsed.success) return { status: "unknown" };
      return { status: "found", found: parsed.data.products.map(toItem) };
    },

    async verifyCustomer({ productCode, recipient }) {
      const reply = await ask("customer", { code: productCode, recipient });
      if (isNotFound(reply, "no_such_customer")) return { status: "not_found" };
      const parsed = CustomerReply.safeParse(reply?.body);
      if (reply?.status !== 200 || parsed.data?.code !== productCode || parsed.data.recipient !== recipient) return { status: "unknown" };
      const { name, address, plan } = parsed.data;
      return { status: "found", found: { name, address, currentPlan: plan } };
    },

    async buy(order) {
      const { reference: ours, service, productCode, recipient, variant, quantity, amount } = order;
      const request = { reference: ours, service, code: productCode, recipient, variant, quantity, kobo: String(amount.minor) };
      try {
        return toOutcome(await call("buy", request), order);
      } catch (error) {
        return wasNotSent(error) ? { status: "failed", reason: "The provider could not be reached." } : { status: "unknown" };
      }
    },

    async readPurchase(order) {
      const reply = await ask("order", { reference: order.reference });
      if (isNotFound(reply, "no_such_order")) return { status: "not_found" };
      return reply?.status === 200 ? toOutcome(reply, order) : { status: "unknown" };
    },

    readNotice(headers, body) {
      if (!isSigned(noticeSecret, body, headers.get("x-sandbox-signature"))) return undefined;
      return { reference: Notice.parse(JSON.parse(body)).order };
    },
  });
}

type ProductReply = z.output<typeof ProductsReply>["products"][number];

const toItem = ({ service, code, name, brand, variant, size, validity, naira: price, hasLetters }: ProductReply): CatalogueItem => ({
  service,
  code,
  name,
  brand,
  variant: variant ?? null,
  size: size ?? null,
  validity: validity ?? null,
  price: price === undefined ? null : naira(price),
  hasLetters: hasLetters ?? false,
});

const REFUSALS: Record<string, string> = {
  no_such_product: "The provider does not sell this any more.",
  price_changed: "The provider's price has changed.",
};

const isAbout = ({ order, code, recipient, kobo }: z.output<typeof OrderReply>, asked: Order): boolean =>
  order === asked.reference && code === asked.productCode && recipient === asked.recipient && kobo === String(asked.amount.minor);

/** Returns the outcome in a reply; `unknown` for an unclear reply, and for one about another purchase. */
function toOutcome({ status, body }: Reply, asked: Order): PurchaseOutcome {
  const refusal = RefusalReply.safeParse(body);
  if (status === 422 && refusal.success) {
    const known = REFUSALS[refusal.data.error];
    return { status: "failed", reason: known ?? "The provider refused it.", ...(known && { isListStale: true as const }) };
  }
  const parsed = OrderReply.safeParse(body);
  if (status !== 200 || !parsed.success || !isAbout(parsed.data, asked)) return { status: "unknown" };
  const { state, tokens, units, pins } = parsed.data;
  switch (state) {
    case "delivered":
      return { status: "delivered", delivery: { tokens, units: units && `${units} kWh`, pins } };
    case "queued":
      return { status: "pending" };
    case "failed":
      return { status: "failed", reason: "The provider could not deliver it." };
    case "reversed":
      return { status: "failed", reason: "The provider took it back." };
    default:
      return { status: "unknown" };
  }
}
