import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { FaultOrder, HANG_MS, orderFault, withFaults } from "../faults.ts";
import { answerSignedCall, type Operation } from "../signed-call.ts";
import { changeList, expectOnList, priceList } from "./catalogue.ts";
import { courseOf, customerOf, findOrder, type OrderRow, pinsOf, takeOrder, tokensOf } from "./orders.ts";
import { Refused } from "./refusals.ts";

const AGGREGATOR = "sandbox";
const text = z.string().min(1).max(200);
const kobo = z
  .string()
  .regex(/^[1-9]\d{0,13}$/)
  .transform(BigInt);

const NewOrder = z.object({
  reference: text,
  service: z.enum(["airtime", "data", "cable", "electricity", "exam"]),
  code: text,
  recipient: text.nullable(),
  variant: text.nullable(),
  quantity: z.number().int().min(1).max(100),
  kobo,
});
const Reference = z.object({ reference: text });
const Change = z.object({ code: text, naira: z.number().positive().optional(), withdrawn: z.boolean().default(false) });

const describeOrder = (row: OrderRow) => ({
  order: row.reference,
  code: row.code,
  recipient: row.recipient,
  kobo: String(row.amount),
  state: row.state,
  ...(row.state !== "queued" && row.state !== "failed" && { ...tokensOf(row), pins: pinsOf(row) }),
});

const operations: Record<string, Operation> = {
  async products() {
    return Response.json({ products: await priceList(AGGREGATOR) });
  },
  async customer(body) {
    const { code, recipient } = z.object({ code: text, recipient: text }).parse(body);
    const item = (await priceList(AGGREGATOR)).find((each) => each.code === code);
    return withFaults(AGGREGATOR, "customer", recipient, {
      refuse: () => Response.json({ error: "not_today" }, { status: 422 }),
      run: async () => {
        const customer = item && customerOf(recipient);
        if (!customer) return Response.json({ error: "no_such_customer" }, { status: 404 });
        const plan = item.service === "cable" ? item.name : null;
        return Response.json({ ...customer, code, recipient, plan });
      },
    });
  },
  async buy(body) {
    const { kobo: amount, ...rest } = NewOrder.parse(body);
    const order = { ...rest, amount };
    const course = courseOf(order);
    return withFaults(AGGREGATOR, "buy", order.recipient ?? "*", {
      refuse: () => Response.json({ error: "not_today" }, { status: 422 }),
      run: async () => {
        await expectOnList(AGGREGATOR, { code: order.code, kobo: amount, quantity: order.quantity });
        const taken = course.isLost ? undefined : await takeOrder(AGGREGATOR, order, course);
        if (course.isSilent) await wait(HANG_MS);
        return taken ? Response.json(describeOrder(taken.row)) : Response.json({ error: "too late" }, { status: 503 });
      },
    });
  },
  async order(body) {
    const { reference } = Reference.parse(body);
    const found = await findOrder(AGGREGATOR, reference);
    return withFaults(AGGREGATOR, "order", found?.recipient ?? "*", {
      refuse: () => Response.json({ error: "not_today" }, { status: 422 }),
      run: async () => (found ? Response.json(describeOrder(found)) : Response.json({ error: "no_such_order" }, { status: 404 })),
    });
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

/** Serves one call of the sandbox aggregator's API. */
export const answerAggregatorCall = (operation: string, request: Request): Promise<Response> =>
  answerSignedCall(operations, operation, request, (error) =>
    error instanceof Refused ? Response.json({ error: error.reason }, { status: 422 }) : undefined,
  );
