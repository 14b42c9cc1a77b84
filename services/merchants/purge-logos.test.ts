import { sql as fragment } from "drizzle-orm";
import sharp from "sharp";
import { beforeEach, expect, test } from "vitest";
import { db, sql, transaction } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { advisoryWaiters } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { times, until } from "#testing/until.ts";
import { asOwner } from "../audit/audit.fixture.ts";
import { systemContext } from "../context.ts";
import { findLogo } from "./logo.ts";
import { aMerchantWithAllRights as aMerchant, type TestMerchant } from "./merchant.fixture.ts";
import { purgeUnusedLogos, unusedLogos } from "./purge-logos.ts";
import { setBrand as setBrandOf } from "./set-brand.ts";

withDatabase();
beforeEach(async () => {
  await purge();
});

const job = systemContext("test");
const purge = () => purgeUnusedLogos(job);
const setBrand = ({ ctx }: TestMerchant, changes: Parameters<typeof setBrandOf>[1]) =>
  setBrandOf({ ...ctx, businessId: ctx.merchant.businessId }, changes);
const aPicture = (background: string) =>
  sharp({ create: { width: 40, height: 10, channels: 3, background } })
    .png()
    .toBuffer();

async function logoOf({ merchant }: TestMerchant): Promise<string> {
  const [row] = await sql()<{ logo: string | null }[]>`select logo from businesses where id = ${merchant.businessId}`;
  return row?.logo ?? "";
}
const isKept = async (name: string) => (await findLogo(job, name)) !== undefined;

/** Lets days go by for all logos and for what the audit says of them. */
const letDaysPass = (days: number) =>
  asOwner(async (tx) => {
    await tx`update logos set created_at = created_at - ${days} * interval '1 day'`;
    await tx`update audit_entries set created_at = created_at - ${days} * interval '1 day'`;
  });

/** Stores a logo that no brand has used for long. Returns its picture and its name. */
async function anUnusedLogo(background: string) {
  const shop = await aMerchant();
  const picture = await aPicture(background);
  await setBrand(shop, { logo: picture });
  const name = await logoOf(shop);
  await setBrand(shop, { logo: null });
  await letDaysPass(8);
  return { picture, name };
}

test("a logo is deleted a week after the last brand gave it up, and not before, however old it is", async () => {
  const [one, two] = [await aMerchant(), await aMerchant()];
  const picture = await aPicture("#101010");
  for (const shop of [one, two]) await setBrand(shop, { logo: picture });
  const name = await logoOf(one);
  await letDaysPass(30);
  await setBrand(one, { logo: null });
  await letDaysPass(8);
  expect([await purge(), await isKept(name)]).toEqual([0, true]);
  await setBrand(two, { logo: await aPicture("#202020") });
  await letDaysPass(6);
  expect([await purge(), await isKept(name)]).toEqual([0, true]);
  await letDaysPass(2);
  expect([await purge(), await isKept(name)]).toEqual([1, false]);
  expect(await isKept(await logoOf(two))).toBe(true);
});

test("450 logos that no brand uses are deleted by one job, and those of brands and new ones stay", async () => {
  const shop = await aMerchant();
  await setBrand(shop, { logo: await aPicture("#303030") });
  await letDaysPass(30);
  await sql()`
    insert into logos (name, webp_base64, created_at)
    select md5('old' || i), '', now() - interval '8 days' from generate_series(1, 450) i
    union all select md5('new'), '', now() - interval '6 days'`;
  expect(await purge()).toBe(450);
  expect([await isKept(await logoOf(shop)), (await sql()`select from logos where name = md5('new')`).length]).toEqual([true, 1]);
});

test("unused logos are found by an index of brand changes, without reading the audit entries of all businesses", async () => {
  await anUnusedLogo("#606060");
  const [entry] = await sql()`select business_id from audit_entries limit 1`;
  await asOwner(
    (tx) => tx`
      insert into audit_entries (business_id, seq, id, actor_type, actor_id, action, subject, created_at, hash)
      select ${entry?.business_id}, 1000 + n, 'aud_' || n, 'system', 'test', 'thing.done', 's', now(), repeat('0', 64) from generate_series(1, 20000) n`,
  );
  await sql()`analyze`;
  const plan = await db().execute<{ "QUERY PLAN": string }>(fragment`explain ${unusedLogos(200)}`);
  const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(text).toContain("audit_entries_of_brands");
  expect(text).not.toContain("Seq Scan on audit_entries");
});

test("a logo that a brand is just being given is not deleted", async () => {
  const { picture, name } = await anUnusedLogo("#404040");
  const shop = await aMerchant();
  // Stops a brand between the storing of its logo and the naming of it.
  await sql().unsafe(`
    create function wait_for_the_test() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(4711); return new; end $$;
    create trigger waits_for_the_test before update on businesses for each row execute function wait_for_the_test()`);
  try {
    let saved: Promise<number> | undefined;
    await transaction(async (tx) => {
      await tx.execute("select pg_advisory_xact_lock(4711)");
      saved = outsideTransaction(() => setBrand(shop, { logo: picture }));
      await outsideTransaction(async () => {
        await until(async () => (await advisoryWaiters(sql())) > 0);
        await purge();
        expect(await isKept(name)).toBe(true);
      });
    });
    expect(await saved).toBe(2);
  } finally {
    await sql().unsafe("drop trigger waits_for_the_test on businesses; drop function wait_for_the_test()");
  }
  expect([await logoOf(shop), await isKept(name)]).toEqual([name, true]);
});

test("brands that are saved with an old logo while it is being deleted are all saved with the logo", async () => {
  for (let round = 0; round < 5; round++) {
    const { picture, name } = await anUnusedLogo(`#50505${round}`);
    const shops = await Promise.all(times(3, () => aMerchant()));
    await Promise.all([...shops.map((shop) => setBrand(shop, { logo: picture })), ...times(6, purge)]);
    for (const shop of shops) expect(await logoOf(shop)).toBe(name);
    expect(await isKept(name)).toBe(true);
  }
});
