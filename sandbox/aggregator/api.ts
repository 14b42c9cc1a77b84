import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { FAULTS, HANG_MS, orderFault, withFaults } from "../faults.ts";
import { answerSignedCall, type Operation } from "../signed-call.ts";
import { changeList, expectOnList, priceList } from "./catalogue.ts";
import { courseOf, customerOf, findOrder, type OrderRow, pinsOf, takeOrder, tokensOf } from "./orders.ts";
import { Refused } from "./refusals.ts";

const HOUSE = "sandbox";
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
const Fault = z.object({ operation: text, subject: text.default("*"), fault: z.enum(FAULTS) });
const Change = z.object({ code: text, naira: z.number().positive().optional(), withdrawn: z.boolean().default(false) });

const tell = (row: OrderRow) => ({
  order: row.reference,
  code: row.code,
  recipient: row.recipient,
  kobo: String(row.amount),
  state: row.state,
  ...(row.state !== "queued" && row.state !== "failed" && { ...tokensOf(row), pins: pinsOf(row) }),
});

const operations: Record<string, Operation> = {
  async products() {
    return Response.json({ products: await priceList(HOUSE) });
  },
  async customer(body) {
    const { code, recipient } = z.object({ code: text, recipient: text }).parse(body);
    const item = (await priceList(HOUSE)).find((each) => each.code === code);
    return withFaults(HOUSE, "customer", recipient, {
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
    const { kobo: amount, ...wish } = NewOrder.parse(body);
    const order = { ...wish, amount };
    const course = courseOf(order);
    return withFaults(HOUSE, "buy", order.recipient ?? "*", {
      refuse: () => Response.json({ error: "not_today" }, { status: 422 }),
      run: async () => {
        await expectOnList(HOUSE, { code: order.code, kobo: amount, quantity: order.quantity });
        const taken = course.isLost ? undefined : await takeOrder(HOUSE, order, course);
        if (course.isSilent) await wait(HANG_MS);
        return taken ? Response.json(tell(taken.row)) : Response.json({ error: "too late" }, { status: 503 });
      },
    });
  },
  async order(body) {
    const { reference } = Reference.parse(body);
    const found = await findOrder(HOUSE, reference);
    return withFaults(HOUSE, "order", found?.recipient ?? "*", {
      refuse: () => Response.json({ error: "not_today" }, { status: 422 }),
      run: async () => (found ? Response.json(tell(found)) : Response.json({ error: "no_such_order" }, { status: 404 })),
    });
  },
  async faults(body) {
    await orderFault(HOUSE, Fault.parse(body));
    return Response.json({});
  },
  /** Changes the list: another price, or off it. */
  async changes(body) {
    const { code, naira, withdrawn } = Change.parse(body);
    await changeList(HOUSE, code, { naira, isWithdrawn: withdrawn });
    return Response.json({});
  },
};

/** One call of the sandbox aggregator's API. */
export const answerAggregatorCall = (operation: string, request: Request): Promise<Response> =>
  answerSignedCall(operations, operation, request, (error) =>
    error instanceof Refused ? Response.json({ error: error.reason }, { status: 422 }) : undefined,
  );
