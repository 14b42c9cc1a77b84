import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { anEvent } from "../webhooks/webhooks.fixture.ts";
import { getEvent, ListEventsQuery, listEvents, listNewestEvents } from "./index.ts";

withDatabase();

const listed = async ({ ctx }: TestMerchant, query: Record<string, unknown> = {}) =>
  (await listNewestEvents(ctx, ListEventsQuery.parse(query))).items.map(({ sequence }) => Number(sequence));

describe("the list of events for people", () => {
  let shop: TestMerchant;
  beforeAll(async () => {
    shop = await aMerchant();
    await anEvent(shop, { reference: "REF1", order_no: "A-7" });
    await anEvent(shop, { id: "card_1", cardholder_id: 42 }, "card.issued");
    await anEvent(shop, { id: "cop_1", card_id: "card_1" }, "card.funded");
    await anEvent(shop, { reference: "REF2", description: "about card_1" });
    await anEvent(await aMerchant(), { id: "card_1" }, "card.issued");
  });

  test("has the merchant's own events, newest first, and every page on the way there and back", async () => {
    expect(await listed(shop)).toEqual([4, 3, 2, 1]);
    const first = await listNewestEvents(shop.ctx, { limit: 3 });
    const second = await listNewestEvents(shop.ctx, { limit: 3, cursor: first.nextCursor ?? "" });
    expect(second.items.map(({ sequence }) => sequence)).toEqual([1n]);
    const back = await listNewestEvents(shop.ctx, { limit: 3, cursor: second.previousCursor ?? "" });
    expect(back.items).toEqual(first.items);
  });

  test.each([
    [{ type: "checkout.success" }, [4, 1]],
    [{ resource: "REF1" }, [1]],
    [{ resource: "A-7" }, [1]],
    // The event of another thing that mentions the card in a text is not about it.
    [{ resource: "card_1" }, [3, 2]],
    [{ resource: "42" }, [2]],
    [{ resource: "card_1", type: "card.funded" }, [3]],
    [{ resource: "card_" }, []],
  ])("with the filter %o has %o", async (filter, sequences) => {
    expect(await listed(shop, filter)).toEqual(sequences);
  });

  test("by time has the events of that time, and none that are older or newer", async () => {
    const old = await aMerchant();
    const times = [5, 4, 3, 2].map((hours) => new Date(Date.now() - hours * HOUR_MS).toISOString());
    for (const [i, time] of times.entries()) {
      await sql()`insert into events (merchant_id, sequence, id, type, data, created_at)
        values (${old.merchant.id}, ${i + 1}, ${`evt_old_${i}`}, ${i === 1 ? "card.issued" : "checkout.success"}, '{}', ${time})`;
    }
    await sql()`update event_counters set last_sequence = 4 where merchant_id = ${old.merchant.id}`;
    expect(await listed(old, { created_after: times[1] })).toEqual([4, 3, 2]);
    expect(await listed(old, { created_before: times[2] })).toEqual([2, 1]);
    expect(await listed(old, { created_after: times[1], created_before: times[3], type: "card.issued" })).toEqual([2]);
  });

  test("one event is found by its id, and another merchant's is not", async () => {
    const [event] = (await listEvents(shop.ctx, { after: 0, limit: 1 })).items;
    const id = event?.id ?? "";
    expect(await getEvent(shop.ctx, id)).toEqual(event);
    const other = await aMerchant();
    await expect(getEvent(other.ctx, id)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    await expect(getEvent(shop.ctx, "")).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  });
});

test("a search that finds nothing among 5,000 events says how far it looked and goes on from there", async () => {
  const shop = await aMerchant();
  await anEvent(shop, { reference: "REF-OLD" });
  await sql()`
    with made as (
      insert into events (merchant_id, sequence, id, type, data)
      select ${shop.merchant.id}, n, 'evt_' || n, 'checkout.success', '{"reference":"OTHER"}' from generate_series(2, 5100) n returning 1
    ) update event_counters set last_sequence = 5100 where merchant_id = ${shop.merchant.id} and exists (select from made)`;
  const query = ListEventsQuery.parse({ resource: "REF-OLD" });
  const first = await listNewestEvents(shop.ctx, query);
  expect(first).toMatchObject({ items: [], searchedTo: expect.any(Date), nextCursor: expect.any(String) });
  const second = await listNewestEvents(shop.ctx, { ...query, cursor: first.nextCursor ?? "" });
  expect(second.items.map(({ sequence }) => sequence)).toEqual([1n]);
  expect(second.nextCursor).toBeNull();
});
