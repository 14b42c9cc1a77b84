import { expect, test } from "vitest";
import type { Delivery, Endpoint } from "#services/webhooks/index.ts";
import { nextTryOf } from "./to-view.ts";

const now = new Date("2026-11-25T08:00:00Z");
const soon = new Date("2026-11-25T08:04:00Z");
const deliveryOf = (changes: Partial<Delivery>) => ({ status: "pending", attemptCount: 1, nextAttemptAt: soon, ...changes }) as Delivery;
const endpointOf = (status: Endpoint["status"]) => ({ status }) as Endpoint;

test("a delivery that has failed says when it is tried again", () => {
  expect(nextTryOf(deliveryOf({}), endpointOf("enabled"), now)).toEqual(soon);
});

test.each<[string, Partial<Delivery>, Endpoint | undefined]>([
  ["a first try", { attemptCount: 0 }, endpointOf("enabled")],
  ["a try that is due", { nextAttemptAt: now }, endpointOf("enabled")],
  ["a delivered one", { status: "delivered", nextAttemptAt: null }, endpointOf("enabled")],
  ["a disabled endpoint", {}, endpointOf("disabled")],
  ["a deleted endpoint", {}, undefined],
])("%s shows no time of a next attempt", (_what, changes, endpoint) => {
  expect(nextTryOf(deliveryOf(changes), endpoint, now)).toBeUndefined();
});
