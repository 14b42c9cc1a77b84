import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { aLink, makeOverdue } from "../checkout.fixture.ts";
import type { PaymentLink } from "../payment-link.ts";
import { findStoredLink } from "../rows.ts";
import { expireDueLinks } from "./expire-links.ts";

withDatabase();
withApp();

const ctx = systemContext("test");
const statusOf = async ({ merchantId, reference }: PaymentLink) => (await findStoredLink(merchantId, reference))?.status;

test("a lock on one merchant does not keep links of another pending, even if the locked merchant's due links fill a sweep", async () => {
  const [locked, other] = [await aMerchant(), await aMerchant()];
  const stuck = await Promise.all(times(12, () => aLink(locked)));
  for (const link of stuck) await makeOverdue(link, 60_000);
  const free = await aLink(other);
  await makeOverdue(free);
  await sql().begin(async (tx) => {
    await tx`select 1 from event_counters where merchant_id = ${locked.merchant.id} for update`;
    const elapsedMs = startStopwatch();
    await expireDueLinks(ctx, 5);
    expect(elapsedMs()).toBeLessThan(5_000);
    expect(await statusOf(free)).toBe("expired");
    expect(await Promise.all(stuck.map(statusOf))).toEqual(stuck.map(() => "pending"));
  });
  await expireDueLinks(ctx);
  expect(await Promise.all(stuck.map(statusOf))).toEqual(stuck.map(() => "expired"));
  await expectInvariantsToHold();
});

test("ten links that cannot be expired delay no other link of their merchant", async () => {
  const shop = await aMerchant();
  const bad = await Promise.all(times(10, () => aLink(shop, { metadata: { is: "bad" } })));
  const good = await Promise.all(times(15, () => aLink(shop)));
  for (const link of bad) await makeOverdue(link, 60_000);
  for (const link of good) await makeOverdue(link);
  await sql().unsafe(`create function refuse_bad() returns trigger language plpgsql as $$ begin
    if new.status = 'expired' and new.metadata->>'is' = 'bad' then raise exception 'this link cannot be expired'; end if; return new; end $$;
    create trigger refuse_bad before update on payment_links for each row execute function refuse_bad()`);
  await expireDueLinks(ctx, 20);
  expect(await Promise.all(good.map(statusOf))).toEqual(good.map(() => "expired"));
  expect(await Promise.all(bad.map(statusOf))).toEqual(bad.map(() => "pending"));
  await sql().unsafe("drop trigger refuse_bad on payment_links");
  await expireDueLinks(ctx);
  expect(await Promise.all(bad.map(statusOf))).toEqual(bad.map(() => "expired"));
  await expectInvariantsToHold();
});

test("a link that cannot be expired delays no other", async () => {
  const [broken, other] = [await aMerchant(), await aMerchant()];
  const bad = await aLink(broken);
  const good = await aLink(other);
  await makeOverdue(bad, 60_000);
  await makeOverdue(good);
  // A merchant without an event counter cannot have the event of an expiry.
  const [counter] = await sql()`delete from event_counters where merchant_id = ${broken.merchant.id} returning *`;
  await expireDueLinks(ctx, 1);
  expect([await statusOf(bad), await statusOf(good)]).toEqual(["pending", "expired"]);
  await sql()`insert into event_counters ${sql()(counter ?? {})}`;
  await expireDueLinks(ctx);
  expect(await statusOf(bad)).toBe("expired");
  await expectInvariantsToHold();
});
