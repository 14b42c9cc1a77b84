import { z } from "zod";
import { log } from "#lib/log.ts";
import { money, toMajorNumber } from "#lib/money.ts";
import { lagosMinute } from "#lib/time.ts";
import type { Aggregator, CatalogueItem, Order, PurchaseOutcome, Service } from "../aggregator.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import { type Reply, signedCalls } from "./signed-calls.ts";
import { type PaidReply, toDelivery } from "./vtpass-delivery.ts";

const SERVICES = ["airtime", "data", "cable", "electricity", "exam"] as const;
const ServicesReply = z.object({
  content: z.array(z.object({ serviceID: z.string().min(1), identifier: z.enum(SERVICES), name: z.string().min(1) })),
});
/** VTpass sends some amounts as text and some as numbers. */
const amount = z.union([z.number(), z.string().regex(/^\d+(\.\d{1,2})?$/)]).transform(Number);
const VariationsReply = z.object({
  // VTpass spells the field "varations".
  content: z.object({
    varations: z.array(z.object({ variation_code: z.string().min(1), name: z.string().min(1), variation_amount: amount })),
  }),
});
const VerifyReply = z.object({
  code: z.string(),
  content: z.union([
    z.object({ error: z.string() }),
    z.object({
      Customer_Name: z.string().min(1),
      Address: z.string().nullish(),
      Current_Bouquet: z.string().nullish(),
      Meter_Number: z.string().optional(),
      Customer_Number: z.string().optional(),
    }),
  ]),
});
const PayReply = z.looseObject({
  code: z.string(),
  requestId: z.string().optional(),
  amount: amount.optional(),
  content: z.object({ transactions: z.looseObject({ status: z.string(), unique_element: z.string().optional() }) }).optional(),
});
const Notice = z.object({
  type: z.literal("transaction-update"),
  data: z.object({ requestId: z.string().regex(/^\d{12}[0-9A-Za-z]{35}$/) }),
});

const OUR_PREFIX = "vtu_";
const LAGOS_MINUTE_DIGITS = 12;

/** Returns our request id for VTpass: letters and digits alone, beginning with the minute in Lagos. */
const requestIdOf = ({ reference, createdAt }: Order) => `${lagosMinute(createdAt)}${reference.replace(OUR_PREFIX, "")}`;

const SEPARATOR = "/";
const codeOf = (serviceID: string, variation: string) => `${serviceID}${SEPARATOR}${variation}`;

/** Returns the adapter of a test aggregator with an API like that of VTpass. Its notices are unsigned. */
export function vtpassAggregator({ url, requestSecret }: { url: string; requestSecret: string }): Aggregator {
  const call = signedCalls(`${url}/sandbox/aggregator-vtpass`, requestSecret);
  const ask = async (operation: string, body: Record<string, unknown>): Promise<Reply | undefined> =>
    call(operation, body).catch(() => undefined);

  async function variationsOf(serviceID: string): Promise<z.output<typeof VariationsReply>["content"]["varations"] | undefined> {
    return VariationsReply.safeParse((await ask("service-variations", { serviceID }))?.body).data?.content.varations;
  }

  return withCleanWords({
    name: "sandbox-vtpass",
    capabilities: { visibleWithinMs: 10_000 },

    async listProducts() {
      const services = ServicesReply.safeParse((await ask("services", {}))?.body).data;
      if (!services) return { status: "unknown" };
      const items: CatalogueItem[] = [];
      const lists = await Promise.all(services.content.map(({ serviceID }) => variationsOf(serviceID)));
      for (const [n, { serviceID, identifier, name }] of services.content.entries()) {
        const variations = lists[n];
        // An incomplete list would make products count as withdrawn that were only not read.
        if (!variations) return { status: "unknown" };
        items.push(...toItems({ serviceID, service: identifier, name }, variations));
      }
      return { status: "found", found: items };
    },

    async verifyCustomer({ productCode, recipient, variant }) {
      const [serviceID = ""] = productCode.split(SEPARATOR);
      const reply = VerifyReply.safeParse(
        (await ask("merchant-verify", { billersCode: recipient, serviceID, ...(variant && { type: variant.toLowerCase() }) }))?.body,
      );
      if (!reply.success || reply.data.code !== "000") return { status: "unknown" };
      const { content } = reply.data;
      if ("error" in content) return { status: "not_found" };
      const { Customer_Name: name, Address: address, Current_Bouquet: currentPlan, Meter_Number: meter, Customer_Number: card } = content;
      if ((meter ?? card) !== recipient) return { status: "unknown" };
      return { status: "found", found: { name, address: address ?? null, currentPlan: currentPlan ?? null } };
    },

    async buy(order) {
      try {
        return toOutcome(order, await call("pay", toPayment(order)), "pay");
      } catch (error) {
        return wasNotSent(error) ? { status: "failed", reason: "The provider could not be reached." } : { status: "unknown" };
      }
    },

    async readPurchase(order) {
      const reply = await ask("requery", { request_id: requestIdOf(order) });
      if (reply?.status === 200 && PayReply.safeParse(reply.body).data?.code === "015") return { status: "not_found" };
      return reply ? toOutcome(order, reply, "requery") : { status: "unknown" };
    },

    readNotice(_headers, body) {
      const notice = Notice.safeParse(parseJson(body));
      return notice.data && { reference: `${OUR_PREFIX}${notice.data.data.requestId.slice(LAGOS_MINUTE_DIGITS)}` };
    },
  });
}

/** Returns parsed JSON, or undefined. Anyone may send a text here, so an invalid one is not logged. */
function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** VTpass requires a phone with each order. This one stands in when the order has none. */
const PLACEHOLDER_PHONE = "08000000000";

function toPayment(order: Order): Record<string, unknown> {
  const { service, productCode, recipient, variant, quantity, amount: price, customerPhone } = order;
  const [serviceID = "", variation = ""] = productCode.split(SEPARATOR);
  const variationCode = service === "electricity" ? variant?.toLowerCase() : variation;
  return {
    request_id: requestIdOf(order),
    serviceID,
    amount: toMajorNumber(price),
    phone: service === "airtime" || service === "data" ? recipient : (customerPhone ?? PLACEHOLDER_PHONE),
    ...(variationCode && { variation_code: variationCode }),
    ...(recipient !== null && service !== "airtime" && { billersCode: recipient }),
    ...(service === "exam" && { quantity }),
  };
}

const SIZE = /\d+(?:\.\d+)?\s?[MGT]B/i;
const VALIDITY = /\d+\s?(?:hour|day|week|month|year)s?/i;
const KIND = /\b(?:SME|Gifting|Corporate)\b/i;

interface ListedService {
  serviceID: string;
  service: Service;
  name: string;
}

function toItems({ serviceID, service, name }: ListedService, variations: z.output<typeof VariationsReply>["content"]["varations"]) {
  const brand = serviceID.replace(/-data$|-electric$/, "").replace("etisalat", "9mobile");
  const common = { service, brand, size: null, validity: null, hasLetters: service === "electricity" };
  if (service === "airtime") return [{ ...common, code: codeOf(serviceID, ""), name, variant: "VTU", price: null }];
  if (service === "electricity") return [{ ...common, code: codeOf(serviceID, ""), name, variant: null, price: null }];
  return variations.map(
    ({ variation_code, name: title, variation_amount }): CatalogueItem => ({
      ...common,
      code: codeOf(serviceID, variation_code),
      name: title,
      variant: KIND.exec(title)?.[0] ?? null,
      size: SIZE.exec(title)?.[0] ?? null,
      validity: service === "cable" ? "1 month" : (VALIDITY.exec(title)?.[0] ?? null),
      price: money(BigInt(Math.round(variation_amount * 100)), "NGN"),
    }),
  );
}

/** Codes of a failed purchase, with our reason. */
const FAILURES: Record<string, string> = {
  "010": "The provider does not sell this any more.",
  "011": "The provider did not accept it as it is.",
  "012": "The provider does not sell this any more.",
  "013": "The amount is below what the provider takes.",
  "016": "The provider could not deliver it.",
  "017": "The amount is above what the provider takes.",
  "018": "The provider cannot take orders now.",
  "030": "The biller cannot be reached.",
  "040": "The provider took it back.",
};
/** Codes that may mean that the list has changed: for a changed price VTpass answers 011, invalid arguments. */
const LIST_IS_STALE = ["010", "011", "012"];
const OUR_FLOAT_IS_EMPTY = "018";

/** Returns whether a reply is about an order: the request id, the amount and the recipient, which exam pins do not have. */
function isAbout({ requestId, amount: naira, content }: z.output<typeof PayReply>, order: Order): boolean {
  const recipient = content?.transactions.unique_element;
  const isAmount = naira !== undefined && BigInt(Math.round(naira * 100)) === order.amount.minor;
  return requestId === requestIdOf(order) && isAmount && (recipient ?? "") === (order.recipient ?? "");
}

/**
 * Returns the outcome in a reply of VTpass. A reply has a code and a status, and counts only where both agree. 014 (a repeated request id)
 * says nothing about the outcome, so it is `unknown`, like 083 and every new code.
 */
function toOutcome(order: Order, { status, body }: Reply, asked: "pay" | "requery"): PurchaseOutcome {
  const parsed = PayReply.safeParse(body);
  if (status !== 200 || !parsed.success) return { status: "unknown" };
  const { code, content } = parsed.data;
  const inner = content?.transactions.status;
  // A reply about an order that was not taken has no content, and so names no order.
  if (content !== undefined && !isAbout(parsed.data, order)) return { status: "unknown" };
  if (code === OUR_FLOAT_IS_EMPTY) log().fatal({ provider: "sandbox-vtpass" }, "our balance at the aggregator is used up: purchases fail");
  if (code === "000" && inner === "delivered") return toDelivered(order.service, parsed.data);
  if ((code === "099" || code === "000") && (inner === "pending" || inner === "initiated")) return { status: "pending" };
  // To a requery, VTpass answers 016 with the status of the failed purchase.
  if (code === "016" && (inner === "failed" || (inner === undefined && asked === "pay")))
    return { status: "failed", reason: FAILURES["016"] ?? "" };
  if ((code === "040" || code === "000") && inner === "reversed") return { status: "failed", reason: FAILURES["040"] ?? "" };
  const refusal = asked === "pay" && inner === undefined && code !== "040" ? FAILURES[code] : undefined;
  if (!refusal) return { status: "unknown" };
  return { status: "failed", reason: refusal, ...(LIST_IS_STALE.includes(code) && { isListStale: true as const }) };
}

function toDelivered(service: Service, reply: PaidReply): PurchaseOutcome {
  const delivery = toDelivery(service, reply);
  return delivery ? { status: "delivered", delivery } : { status: "unknown" };
}
