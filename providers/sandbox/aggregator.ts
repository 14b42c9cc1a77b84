import { z } from "zod";
import { naira } from "#lib/money.ts";
import { isSigned } from "#lib/signature.ts";
import type { Aggregator, CatalogueItem, Outcome } from "../aggregator.ts";
import { isRefusedConnection, type Reply, signedCalls } from "./signed-calls.ts";

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
const CustomerReply = z.object({ name: z.string().min(1), address: z.string().nullable(), plan: z.string().nullable() });
const OrderReply = z.object({
  state: z.string(),
  tokens: z.array(z.string().regex(/^\d{20}$/)).default([]),
  units: z.string().nullable().default(null),
  pins: z.array(z.object({ serial: z.string().min(1), pin: z.string().min(1) })).default([]),
});
const RefusalReply = z.object({ error: z.string() });
const Notice = z.object({ order: reference });

interface Connection {
  url: string;
  requestSecret: string;
  noticeSecret: string;
}

/** The adapter of the built-in test aggregator. */
export function sandboxAggregator({ url, requestSecret, noticeSecret }: Connection): Aggregator {
  const call = signedCalls(`${url}/sandbox/aggregator`, requestSecret);
  const ask = async (operation: string, body: Record<string, unknown>): Promise<Reply | undefined> =>
    call(operation, body).catch(() => undefined);

  return {
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
      if (reply?.status === 404) return { status: "not_found" };
      const parsed = CustomerReply.safeParse(reply?.body);
      if (reply?.status !== 200 || !parsed.success) return { status: "unknown" };
      const { name, address, plan } = parsed.data;
      return { status: "found", found: { name, address, currentPlan: plan } };
    },

    async buy({ reference: ours, service, productCode, recipient, variant, quantity, amount }) {
      const wish = { reference: ours, service, code: productCode, recipient, variant, quantity, kobo: String(amount.minor) };
      try {
        return toOutcome(await call("buy", wish));
      } catch (error) {
        return isRefusedConnection(error) ? { status: "failed", reason: "The provider could not be reached." } : { status: "unknown" };
      }
    },

    async readPurchase({ reference: ours }) {
      const reply = await ask("order", { reference: ours });
      if (reply?.status === 404) return { status: "not_found" };
      return reply?.status === 200 ? toOutcome(reply) : { status: "unknown" };
    },

    readNotice(headers, body) {
      if (!isSigned(noticeSecret, body, headers.get("x-sandbox-signature"))) return undefined;
      return { reference: Notice.parse(JSON.parse(body)).order };
    },
  };
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

/** What the aggregator said of a purchase; unknown is whatever is not a clear word. */
function toOutcome({ status, body }: Reply): Outcome {
  const refusal = RefusalReply.safeParse(body);
  if (status === 422 && refusal.success) {
    const known = REFUSALS[refusal.data.error];
    return { status: "failed", reason: known ?? "The provider refused it.", ...(known && { isListStale: true as const }) };
  }
  const parsed = OrderReply.safeParse(body);
  if (status !== 200 || !parsed.success) return { status: "unknown" };
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
