import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import { withReceivers } from "#testing/receiver.ts";
import { times, until } from "#testing/until.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import type { Endpoint } from "../endpoint.ts";
import { anEndpoint, anEvent, deliveriesOf } from "../webhooks.fixture.ts";
import { Sender } from "./attempt-delivery.ts";
import { DatabaseClock } from "./database-clock.ts";
import { Lane, type SharedParts } from "./lane.ts";
import { Slots } from "./slots.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
const aReceiver = withReceivers();

/** Returns the parts of a worker with few slots, which stops when the test ends. */
function aSmallWorker(slots: SharedParts["slots"]) {
  const [lanes, stopping]: [Lane[], AbortController] = [[], new AbortController()];
  const shared = {
    workerId: randomUUID(),
    sender: new Sender(),
    clock: new DatabaseClock(),
    slots,
    isStopping: () => stopping.signal.aborted,
  };
  onTestFinished(async () => {
    stopping.abort();
    await shared.sender.stop();
    await Promise.all(lanes.map((lane) => lane.ended()));
  });
  return {
    attend: ({ merchantId, id }: Endpoint) => {
      const lane = new Lane({ merchantId, endpointId: id }, shared);
      lanes.push(lane);
      lane.wake();
    },
  };
}

test("while a merchant's 20 slow endpoints hold all slots that they may have, another merchant's events arrive", async () => {
  const [slow, quick, held] = [await aReceiver(), await aReceiver(), Promise.withResolvers<{ status: number }>()];
  const [slowShop, quickShop] = [await aMerchant(), await aMerchant()];
  slow.behave(() => held.promise);
  const endpoints: Endpoint[] = [];
  for (let i = 0; i < 20; i += 1) endpoints.push(await anEndpoint(slowShop, `${slow.url}/hook${i}`));
  await Promise.all(times(2, () => anEvent(slowShop)));
  const worker = aSmallWorker({ healthy: new Slots(16, 8), failing: new Slots(2, 1) });
  for (const endpoint of endpoints) worker.attend(endpoint);
  await until(async () => slow.received.length >= 8);
  const quickEndpoint = await anEndpoint(quickShop, `${quick.url}/hook`);
  await Promise.all(times(20, () => anEvent(quickShop)));
  worker.attend(quickEndpoint);
  await until(async () => (await deliveriesOf(quickEndpoint)).every(({ status }) => status === "delivered"));
  expect(slow.received).toHaveLength(8);
  // None of those was given up, which would free its slot.
  expect((await Promise.all(endpoints.map(deliveriesOf))).flat().map(({ attempt_count }) => attempt_count)).toEqual(Array(40).fill(0));
  held.resolve({ status: 200 });
  await until(async () => (await Promise.all(endpoints.map(deliveriesOf))).flat().every(({ status }) => status === "delivered"));
});
