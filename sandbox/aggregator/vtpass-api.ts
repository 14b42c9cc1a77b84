import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { FaultOrder, HANG_MS, orderFault, withFaults } from "../faults.ts";
import { answerSignedCall, type Operation } from "../signed-call.ts";
import { changeList, expectOnList, priceList } from "./catalogue.ts";
import { courseOf, customerOf, findOrder, type OrderRow, pinsOf, takeOrder, tokensOf } from "./orders.ts";
import type { Listed } from "./price-list.ts";
import { Refused } from "./refusals.ts";

// The second aggregator, modelled on VTpass. Every answer is 200 with a code in the body and a status within it. A request id begins with
// the time in Lagos, some amounts are text and some are numbers, and each disco has other names for its tokens.
const AGGREGATOR = "sandbox-vtpass";
const text = z.string().min(1).max(200);

const Pay = z.object({
  request_id: text,
  serviceID: text,
  variation_code: text.optional(),
  billersCode: text.optional(),
  amount: z.number().positive(),
  phone: text,
  quantity: z.number().int().positive().optional(),
});
const Change = z.object({ code: text, naira: z.number().positive().optional(), withdrawn: z.boolean().default(false) });

const withUnknownStatus = (body: Record<string, unknown>) => ({ ...body, content: { transactions: { status: "pondering" } } });

const DESCRIPTIONS = {
  "000": "TRANSACTION SUCCESSFUL",
  "011": "INVALID ARGUMENTS",
  "012": "PRODUCT DOES NOT EXIST",
  "014": "REQUEST ID ALREADY EXIST",
  "015": "INVALID REQUEST ID",
  "016": "TRANSACTION FAILED",
  "040": "TRANSACTION REVERSED TO WALLET",
  "083": "SYSTEM ERROR",
  "099": "TRANSACTION IS PROCESSING",
} as const;
type Code = keyof typeof DESCRIPTIONS;

const reply = (code: Code, rest: Record<string, unknown> = {}) =>
  Response.json({ code, response_description: DESCRIPTIONS[code], ...rest });

const STATES: Record<OrderRow["state"], { code: Code; status: string }> = {
  queued: { code: "099", status: "pending" },
  delivered: { code: "000", status: "delivered" },
  failed: { code: "016", status: "failed" },
  reversed: { code: "040", status: "reversed" },
};

/** Returns the fields with an order's tokens, in one of the four forms that discos use. */
function tokenFields(row: OrderRow): Record<string, unknown> {
  const { tokens, units } = tokensOf(row);
  const [first = "", ...more] = tokens;
  if (first === "") return {};
  const spaced = (token: string) => token.replaceAll(/(\d{4})(?=\d)/g, "$1 ");
  const dashed = (token: string) => token.replaceAll(/(\d{4})(?=\d)/g, "$1-");
  switch (row.serial % 4n) {
    case 0n:
      return { purchased_code: tokens.map((token) => `Token : ${spaced(token)}`).join(", "), units: `${units} kWh` };
    case 1n:
      return { mainToken: dashed(first), mainTokenUnits: Number(units), ...(more[0] && { bonusToken: dashed(more[0]) }) };
    case 2n:
      return { Token: first, Units: units, ...(more.length > 0 && { tokens: [first, ...more] }) };
    default:
      return { token: spaced(first), purchased_code: `Token : ${spaced(first)}`, ...(more[0] && { bonusToken: more[0] }), units };
  }
}

function pinFields(row: OrderRow): Record<string, unknown> {
  const pins = pinsOf(row);
  if (pins.length === 0) return {};
  return row.code.startsWith("waec")
    ? {
        cards: pins.map(({ serial, pin }) => ({ Serial: serial, Pin: pin })),
        purchased_code: pins.map(({ serial, pin }) => `Serial No:${serial}, pin: ${pin}`).join("||"),
      }
    : { pins: pins.map(({ serial, pin }) => ({ serialNumber: serial, pin: Number(pin[0]) > 0 ? Number(pin) : pin })) };
}

function describeOrder(row: OrderRow): Response {
  const { code, status } = STATES[row.state];
  const naira = Number(row.amount) / 100;
  const isOdd = row.serial % 2n === 1n;
  return reply(code, {
    requestId: row.reference,
    amount: isOdd ? naira.toFixed(2) : naira,
    content: {
      transactions: { status, product_name: row.code, unique_element: row.recipient ?? "", quantity: row.quantity, unit_price: naira },
    },
    ...(row.state === "delivered" && { ...tokenFields(row), ...pinFields(row) }),
  });
}

const toEtisalat = (brand: string) => (brand === "9mobile" ? "etisalat" : brand);

/** Returns the VTpass service and variation of an item, or undefined for an item that VTpass does not sell. */
function placeOf(item: Listed): { serviceID: string; variation: string } | undefined {
  switch (item.service) {
    case "airtime":
      return item.variant === "VTU" ? { serviceID: toEtisalat(item.brand), variation: "" } : undefined;
    case "data":
      return { serviceID: `${toEtisalat(item.brand)}-data`, variation: item.code };
    case "cable":
      return { serviceID: item.brand, variation: item.code };
    case "electricity":
      return { serviceID: item.code, variation: "" };
    case "exam":
      return { serviceID: item.brand, variation: item.code };
  }
}

async function findItem(serviceID: string, variation: string | undefined): Promise<Listed | undefined> {
  const isMetered = variation === "prepaid" || variation === "postpaid";
  return (await priceList(AGGREGATOR)).find((item) => {
    const place = placeOf(item);
    return place?.serviceID === serviceID && (place.variation === "" ? isMetered || !variation : place.variation === variation);
  });
}

const capital = (variant: string) => variant.charAt(0).toUpperCase() + variant.slice(1);

async function pay(body: unknown): Promise<Response> {
  const { request_id: reference, serviceID, variation_code: variation, billersCode, amount, phone, quantity = 1 } = Pay.parse(body);
  if (!/^\d{12}\w{12,}$/.test(reference)) return reply("011");
  const item = await findItem(serviceID, variation);
  if (!item) return reply("012");
  const isPin = item.service === "exam";
  const order = {
    reference,
    service: item.service,
    code: item.code,
    recipient: isPin ? null : item.service === "airtime" ? phone : (billersCode ?? null),
    variant: item.service === "electricity" && variation ? capital(variation) : null,
    quantity,
    amount: BigInt(Math.round(amount * 100)),
  };
  const course = courseOf(order);
  return withFaults(AGGREGATOR, "buy", order.recipient ?? "*", {
    refuse: () => reply("016"),
    confuse: withUnknownStatus,
    run: async () => {
      if (!isPin || item.naira !== undefined) await expectOnList(AGGREGATOR, { code: item.code, kobo: order.amount, quantity });
      // This aggregator stores every order. A lost order is stored as failed.
      const { row, isNew } = await takeOrder(AGGREGATOR, order, course);
      if (!isNew) return reply("014");
      if (course.isSilent) await wait(HANG_MS);
      return describeOrder(row);
    },
  });
}

const operations: Record<string, Operation> = {
  pay,
  async requery(body) {
    const { request_id: reference } = z.object({ request_id: text }).parse(body);
    const found = await findOrder(AGGREGATOR, reference);
    return withFaults(AGGREGATOR, "order", found?.recipient ?? "*", {
      refuse: () => reply("083"),
      confuse: withUnknownStatus,
      run: async () => (found ? describeOrder(found) : reply("015")),
    });
  },
  async "merchant-verify"(body) {
    const { billersCode, serviceID } = z.object({ billersCode: text, serviceID: text }).parse(body);
    return withFaults(AGGREGATOR, "customer", billersCode, {
      refuse: () => reply("083"),
      run: async () => {
        const customer = customerOf(billersCode);
        if (!customer)
          return reply("000", { content: { error: "The meter or smart card number is not correct. Please check and try again." } });
        const { name, address } = customer;
        return ["dstv", "gotv", "startimes"].includes(serviceID)
          ? reply("000", {
              content: {
                Customer_Name: name,
                Status: "Open",
                Current_Bouquet: `${serviceID.toUpperCase()} Basic`,
                Customer_Number: billersCode,
              },
            })
          : reply("000", { content: { Customer_Name: name, Address: address, Meter_Number: billersCode } });
      },
    });
  },
  async services() {
    const kinds = new Map<string, Listed>();
    for (const item of await priceList(AGGREGATOR)) {
      const place = placeOf(item);
      if (place) kinds.set(place.serviceID, item);
    }
    const services = [...kinds].map(([serviceID, { service, name }]) => ({ serviceID, identifier: service, name }));
    return Response.json({ content: services });
  },
  async "service-variations"(body) {
    const { serviceID } = z.object({ serviceID: text }).parse(body);
    const items = (await priceList(AGGREGATOR)).filter((item) => placeOf(item)?.serviceID === serviceID);
    const variations = items.flatMap((item, n) => {
      const place = placeOf(item);
      if (!place || place.variation === "") return [];
      const price = item.naira ?? 0;
      return [
        { variation_code: place.variation, name: item.name, variation_amount: n % 2 === 0 ? price.toFixed(2) : price, fixedPrice: "Yes" },
      ];
    });
    return Response.json({ content: { ServiceName: items[0]?.name ?? serviceID, serviceID, varations: variations } });
  },
  async faults(body) {
    await orderFault(AGGREGATOR, FaultOrder.parse(body));
    return Response.json({});
  },
  /** Changes the price of a product, or withdraws the product. */
  async changes(body) {
    const { code, naira, withdrawn } = Change.parse(body);
    await changeList(AGGREGATOR, code, { naira, isWithdrawn: withdrawn });
    return Response.json({});
  },
};

/** Serves one call of the VTpass-like aggregator's API. */
export const answerVtpassCall = (operation: string, request: Request): Promise<Response> =>
  answerSignedCall(operations, operation, request, (error) =>
    error instanceof Refused ? reply(error.reason === "no_such_product" ? "012" : "011") : undefined,
  );
