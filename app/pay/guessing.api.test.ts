import { beforeAll, expect, test } from "vitest";
import { newLinkReference } from "#lib/references.ts";
import { aLink } from "#services/checkout/checkout.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { payerClient } from "./pay.fixture.ts";

withDatabase();
// Every request comes from 127.0.0.1, a trusted proxy. The client is the address that it forwards.
const app = withApp({ TRUSTED_PROXIES: "127.0.0.1" });
const { get, post } = payerClient(app);

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant({ name: "Ada's Shop" });
});

const from = (address: string) => ({ "x-forwarded-for": address });

test("a malformed and an unknown reference get the same answer", async () => {
  const bodies = await Promise.all(
    ["x", newLinkReference(1), "%00", "../../etc", newLinkReference(1).toLowerCase()].map(async (reference) => {
      const response = await get(encodeURIComponent(reference), from("198.51.100.1"));
      return `${response.status} ${await response.text()}`;
    }),
  );
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toMatch(/^404 /);
});

/** Guesses until the address is refused. Returns how many guesses were answered before. The refusal ends after a moment. */
const exhaust = async (guesser: Record<string, string>) => {
  for (let answered = 0; answered < 400; answered++) {
    const { status } = await get(newLinkReference(1), guesser);
    if (status === 429) return answered;
    expect(status).toBe(404);
  }
  throw new Error("never refused");
};

test("30 unknown references from one address are refused, on every route, and a known one still opens", async () => {
  const guesser = from("198.51.100.2");
  expect(await exhaust(guesser)).toBeGreaterThanOrEqual(30);
  const { reference } = await aLink(shop);
  for (const path of ["", "/status", "/preview.png"]) {
    const refused = await until(async () => {
      const response = await get(`${newLinkReference(1)}${path}`, guesser);
      return response.status === 429 && response;
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    if (path === "") expect(await refused.text()).toContain("Too many tries");
    expect((await get(`${reference}${path}`, guesser)).status).toBe(200);
  }
  for (const path of ["activity", "simulate"]) {
    await until(async () => (await post(`${newLinkReference(1)}/${path}`, { kind: "opened", what: "exact" }, guesser)).status === 429);
  }
  expect((await post(`${reference}/activity`, { kind: "opened" }, guesser)).status).toBe(204);
});

test("a hundred unknown references at once make the server refuse the address after them", async () => {
  const guesser = from("198.51.100.6");
  await Promise.all(times(100, () => get(newLinkReference(1), guesser)));
  // A guess that is still answered uses up the token that was refilled since.
  await until(async () => (await get(newLinkReference(1), guesser)).status === 429);
});

test("payers who open a known page 200 times at once from one address are never refused", async () => {
  const many = from("198.51.100.7");
  const { reference } = await aLink(shop);
  const statuses = await Promise.all(times(200, () => get(reference, many).then(({ status }) => status)));
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});

test("guesses are counted for a whole IPv6 /64 network", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 60; i++) statuses.push((await get(newLinkReference(1), from(`2001:db8:1:2::${i.toString(16)}`))).status);
  expect(statuses).toContain(429);
  expect((await get(newLinkReference(1), from("2001:db8:1:3::1"))).status).toBe(404);
});

test("guesses do not stop payers at the same address from opening their pages, and the refusal ends with time", async () => {
  const [open, ...fresh] = [await aLink(shop), await aLink(shop), await aLink(shop)];
  const shared = from("198.51.100.3");
  expect((await get(open.reference, shared)).status).toBe(200);
  const guesses = times(200, () => get(newLinkReference(1), shared));
  const opened = [open, ...fresh].map(({ reference }) => get(reference, shared));
  for (const response of await Promise.all(opened)) expect(response.status).toBe(200);
  await Promise.all(guesses);
  expect((await get(newLinkReference(1), from("198.51.100.4"))).status).toBe(404);
  await until(async () => (await get(newLinkReference(1), shared)).status === 404);
});

test("guesses are counted and refused on every route and with every form", async () => {
  const guesser = from("198.51.100.5");
  const guess = newLinkReference(1);
  for (const path of ["activity", "simulate"])
    for (const form of [{}, { kind: "opened" }, { what: "exact" }, { kind: "x", what: "x" }])
      expect((await post(`${guess}/${path}`, form, guesser)).status).toBe(404);
  await exhaust(guesser);
  for (const path of ["", "/status"]) await until(async () => (await get(`${guess}${path}`, guesser)).status === 429);
});

test("900 requests for one link from one address are limited, and a payer at another address still opens the page", async () => {
  const { reference } = await aLink(shop);
  const greedy = times(900, () => get(`${reference}/status`, from("198.51.100.8")));
  for (let i = 0; i < 10; i++) expect((await get(reference, from("198.51.100.9"))).status).toBe(200);
  expect((await Promise.all(greedy)).some(({ status }) => status === 429)).toBe(true);
});
