import { afterAll, beforeAll } from "vitest";
import { type Received, withReceivers } from "#testing/receiver.ts";
import { until } from "#testing/until.ts";
import { listEvents, presentEvent } from "../../events/index.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { anEndpoint, anEvent, deliveriesOf } from "../webhooks.fixture.ts";
import { Dispatcher } from "./dispatcher.ts";

/** Runs a dispatcher while the tests of a file run. The file calls `withDatabase` before it, and allows webhooks to loopback. */
export function withDispatcher() {
  const aReceiver = withReceivers();
  let running: Dispatcher;
  const dispatcher = {
    start: () => {
      running = new Dispatcher();
      running.start();
    },
    sweep: () => running.sweep(),
    stop: () => running.stop(),
    /** Waits until the running attempts have ended and are stored. The next sweep starts others. */
    settle: async () => {
      await running.stop();
      dispatcher.start();
    },
  };
  beforeAll(dispatcher.start);
  afterAll(dispatcher.stop);

  /** Returns a new merchant with one endpoint at a receiver of its own. */
  async function aSubscriber() {
    const [shop, receiver] = [await aMerchant(), await aReceiver()];
    return { shop, receiver, endpoint: await anEndpoint(shop, `${receiver.url}/hook`) };
  }

  /** Sweeps until all deliveries of an endpoint have this status and at least `minAttempts`. Returns the deliveries. */
  const untilAll = (endpoint: { merchantId: string; id: string }, status: string, minAttempts: number) =>
    until(async () => {
      await dispatcher.sweep();
      const rows = await deliveriesOf(endpoint);
      return rows.every((row) => row.status === status && row.attempt_count >= minAttempts) ? rows : undefined;
    });

  /** Delivers five events to another merchant, one after the other. An unwanted attempt would arrive within this time. */
  async function deliverToAnother(): Promise<void> {
    const other = await aSubscriber();
    for (let events = 1; events <= 5; events++) {
      await anEvent(other.shop);
      await untilAll(other.endpoint, "delivered", 1);
    }
  }

  return { aReceiver, aSubscriber, untilAll, deliverToAnother, dispatcher };
}

export const headersOf = ({ headers }: Received) => headers as Record<string, string>;

export const sequencesOf = (received: Received[]) => received.map(({ body }) => JSON.parse(body).sequence);

export const feedOf = async ({ ctx }: TestMerchant) => (await listEvents(ctx, { after: 0, limit: 100 })).items.map(presentEvent);
