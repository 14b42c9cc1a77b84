import { expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { resendDeliveries } from "../index.ts";
import { anEndpoint, anEvent, deliveriesOf } from "../webhooks.fixture.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { findNextDue } from "./find-due.ts";
import { takeLease } from "./leases.ts";
import { refuseAttemptsAt } from "./refusing.fixture.ts";
import { settleAttempt } from "./settle-attempt.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });

const WORKER = "w";
const ADDRESS = "http://127.0.0.1:9/hook";

async function aDue() {
  const shop = await aMerchant();
  const endpoint = await anEndpoint(shop, ADDRESS);
  await anEvent(shop);
  const lane = { merchantId: endpoint.merchantId, endpointId: endpoint.id };
  await takeLease(WORKER, lane);
  const find = async () => {
    const due = await findNextDue(lane, { workerId: WORKER, started: [], preferRetry: false });
    if (typeof due !== "object") throw new Error(due);
    return due;
  };
  return { shop, endpoint, find };
}

const answered = (responseStatus: number): AttemptResult => ({
  ...{ startedAt: new Date(), durationMs: 1, requestHeaders: {}, responseStatus, responseBody: "", error: null, retryAfterMs: 0 },
});

async function refusing(code: string, run: () => Promise<void>): Promise<void> {
  const allow = await refuseAttemptsAt(ADDRESS, code);
  try {
    await run();
  } finally {
    await allow();
  }
}

const statusOf = async (endpoint: { merchantId: string; id: string }) => (await deliveriesOf(endpoint))[0]?.status;

test.each([["57014"], ["53100"]])("a database that cancels or is full (%s) parks no delivery, however often it fails", async (code) => {
  const { endpoint, find } = await aDue();
  const due = await find();
  await refusing(code, async () => {
    for (let n = 0; n < 2; n++) await expect(settleAttempt(due, answered(500))).rejects.toThrow("refused");
  });
  expect(await statusOf(endpoint)).toBe("pending");
});

test("a parked delivery that its merchant sends again has two tries again, and one that is sent again meanwhile is not parked", async () => {
  const { shop, endpoint, find } = await aDue();
  const due = await find();
  await refusing("P0001", async () => {
    for (let n = 0; n < 2; n++) await expect(settleAttempt(due, answered(500))).rejects.toThrow("refused");
    expect(await statusOf(endpoint)).toBe("failed");
    await resendDeliveries({ ...shop.ctx, resourceId: newId("request") }, [due.id]);
    const again = await find();
    await expect(settleAttempt(again, answered(500))).rejects.toThrow("refused");
    expect(await statusOf(endpoint)).toBe("pending");
    await resendDeliveries({ ...shop.ctx, resourceId: newId("request") }, [due.id]);
    await expect(settleAttempt(again, answered(500))).rejects.toThrow("refused");
    expect(await statusOf(endpoint)).toBe("pending");
  });
});
