import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { systemContext } from "../context.ts";
import { advanceFigures } from "../figures/index.ts";
import { aMember } from "../members/member.fixture.ts";
import { noteDaysForMails, notePaymentsForMails, queueMemberMails, setMailChoices } from "./index.ts";
import {
  aBlockedCard,
  aPayment,
  aTeam,
  chooseDaysAgo,
  dayFromNow,
  kindsOf,
  letMinutesPass,
  mailsOf,
  sweep,
  type Team,
  textsOf,
} from "./member-mails.fixture.ts";

withDatabase();
const job = systemContext("test");

let team: Team;
beforeEach(async () => {
  await sql()`delete from mail_items`;
  await sql()`delete from mail_choices`;
  await sql()`update alerts set noted_at = now() where noted_at is null`;
  team = await aTeam();
});
const live = () => team.shop.liveMerchantId;

/** Stores alerts that were noted for a member. */
async function addAlerts(
  userId: string,
  count: number,
  { type = "card.blocked", frequency = "each", prefix = "alt_" } = {},
): Promise<void> {
  await sql()`
    insert into alerts (merchant_id, id, type, message, resource_id, noted_at)
    select ${live()}, ${prefix} || lpad(n::text, 26, '0'), ${type}, 'It happened.', 'x', now() from generate_series(1, ${count}::int) n`;
  await sql()`
    insert into mail_items (merchant_id, user_id, cause, topic, frequency, due_at)
    select ${live()}, ${userId}, ${prefix} || lpad(n::text, 26, '0'), 'cards', ${frequency}, now() from generate_series(1, ${count}::int) n`;
}

describe("payments of a day", () => {
  test("payments of a day are one mail in the morning with count and sum, only for days after the choice, and never twice", async () => {
    await setMailChoices(team.as.viewer, { payments: "daily" });
    await chooseDaysAgo(1);
    for (const amount of [5_000, 2_000.5]) await aPayment(live(), amount);
    await advanceFigures(job);
    expect(await noteDaysForMails(job, dayFromNow(1, 6))).toBe(0);
    for (const at of [dayFromNow(1, 8), dayFromNow(1, 9), dayFromNow(2, 8)]) await noteDaysForMails(job, at);
    await queueMemberMails(job);
    await queueMemberMails(job);
    expect(await kindsOf(team.as.viewer)).toEqual(["summary"]);
    expect((await textsOf(team.as.viewer))[0]).toContain("2 payments, ₦7,000.50 together");
  });

  test("payments of a day are mailed after a week without a worker, but not for a day on which each was mailed", async () => {
    await setMailChoices(team.as.owner, { payments: "each" });
    await aPayment(live(), 5_000);
    await sweep();
    await setMailChoices(team.as.owner, { payments: "daily" });
    await advanceFigures(job);
    expect(await kindsOf(team.as.owner)).toEqual(["news"]);
    expect(await noteDaysForMails(job, dayFromNow(1, 8))).toBe(0);
    await chooseDaysAgo(1);
    expect(await noteDaysForMails(job, dayFromNow(6, 8))).toBe(1);
  });

  test("are not mailed singly to a member who chose once a day", async () => {
    await setMailChoices(team.as.owner, { payments: "each" });
    await setMailChoices(team.as.admin, { payments: "daily" });
    await aPayment(live(), 5_000);
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual(["news"]);
    expect(await kindsOf(team.as.admin)).toEqual([]);
  });
});

describe("a row that cannot be read", () => {
  test("an alert of an unknown type is marked, and stops no other alert", async () => {
    await sql()`insert into alerts (merchant_id, id, type, message, resource_id) values (${live()}, 'alt_00', 'something.later', 'x', 'x')`;
    await aBlockedCard(live());
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual(["news"]);
    expect(await sql()`select from alerts where noted_at is null`).toHaveLength(0);
  });

  test("a payment without an amount delays no other mail of its reader or of others", async () => {
    await setMailChoices(team.as.owner, { payments: "each" });
    await sql()`select append_events(${live()}, array[('evt_bad', 'checkout.success', '{"reference":"x"}')::event_request])`;
    const other = await aTeam();
    await aBlockedCard(other.shop.liveMerchantId);
    await aBlockedCard(live());
    await sweep();
    expect((await mailsOf(other.as.owner)).map(({ kind }) => kind)).toEqual(["news"]);
    expect(await kindsOf(team.as.owner)).toEqual(["news"]);
  });

  test("a member whose mails cannot be made is tried again later, and the other members are mailed", async () => {
    await sql()`update users set email = 'not an address' where id = ${team.as.owner.actor.id}`;
    await aBlockedCard(live());
    await sweep();
    expect(await kindsOf(team.as.admin)).toEqual(["news"]);
    const [row] = await sql()<{ minutes: number }[]>`
      select extract(epoch from due_at - now()) / 60 as minutes from mail_items where user_id = ${team.as.owner.actor.id}`;
    expect(Number(row?.minutes)).toBeGreaterThan(50);
  });
});

describe("many", () => {
  test("500 payments are noted for each of 22 members who want each payment", async () => {
    for (let n = 0; n < 22; n++) {
      const { userId } = await aMember(team.shop.merchant.businessId, "viewer");
      await setMailChoices({ ...team.as.viewer, actor: { type: "member", id: userId } }, { payments: "each" });
    }
    for (let n = 0; n < 500; n++) await aPayment(live(), 1_000);
    expect(await notePaymentsForMails(job)).toBeGreaterThan(0);
    expect(await sql()`select from mail_items where topic = 'payments'`).toHaveLength(22 * 500);
  });

  test("1,200 items of a day are one mail, and 700 items an hour are all mailed within two hours", async () => {
    const { id } = team.as.owner.actor;
    await addAlerts(id, 1_200, { frequency: "daily" });
    for (let n = 0; n < 3; n++) await queueMemberMails(job);
    expect(await kindsOf(team.as.owner)).toEqual(["summary"]);
    for (let hour = 0; hour < 3; hour++) {
      await addAlerts(id, 700, { prefix: `alu_${hour}` });
      for (let n = 0; n < 2; n++) await queueMemberMails(job);
      await letMinutesPass(61);
      for (let n = 0; n < 2; n++) await queueMemberMails(job);
    }
    expect(await sql()`select from mail_items where due_at is not null`).toHaveLength(0);
  });

  test("busy merchants do not keep the others waiting", async () => {
    await setMailChoices(team.as.owner, { payments: "each" });
    const other = await aTeam();
    await setMailChoices(other.as.owner, { payments: "each" });
    for (let round = 0; round < 3; round++) {
      for (const merchantId of [live(), other.shop.liveMerchantId]) await aPayment(merchantId, 1_000);
      await notePaymentsForMails(job, 1);
    }
    const noted = await sql()<{ merchant_id: string }[]>`select distinct merchant_id from mail_items`;
    expect(noted).toHaveLength(2);
  });

  test("many returned transfers do not hide a blocked card in the summary", async () => {
    const { id } = team.as.owner.actor;
    await addAlerts(id, 1, { prefix: "alt_0" });
    await addAlerts(id, 30, { type: "checkout.transfer_returned", prefix: "alt_1" });
    await sql()`update mail_items set created_at = created_at - interval '11 minutes'`;
    await queueMemberMails(job);
    const [text = ""] = await textsOf(team.as.owner);
    expect(text).toContain("A card is blocked");
    expect(text.match(/A transfer did not pay its link/g)).toHaveLength(5);
    expect(text).toContain("6 of 31 other things, the newest of each kind");
  });
});

describe("a member", () => {
  test("a member who chooses 'once a day' gets the waiting items the next morning", async () => {
    for (let n = 0; n < 6; n++) await aBlockedCard(live(), `card_${n}`);
    await sweep();
    await setMailChoices(team.as.owner, { cards: "daily" });
    await letMinutesPass(11);
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual([]);
    await letMinutesPass(24 * 60);
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual(["summary"]);
  });

  test("a member who was removed and comes back gets no mail about the time before", async () => {
    await setMailChoices(team.as.support, { cards: "daily" });
    await aBlockedCard(live());
    await sweep();
    await sql()`delete from members where user_id = ${team.as.support.actor.id}`;
    await sql()`insert into members (business_id, user_id, role) values (${team.shop.merchant.businessId}, ${team.as.support.actor.id}, 'owner')`;
    await letMinutesPass(24 * 60);
    await sweep();
    expect(await kindsOf(team.as.support)).toEqual([]);
  });

  test("a member whose email is not verified is not mailed", async () => {
    await sql()`update users set email_verified_at = null where id = ${team.as.owner.actor.id}`;
    await aBlockedCard(live());
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual([]);
  });
});

test("a customer's text is quoted in a mail, and invisible characters make no link in it", async () => {
  await setMailChoices(team.as.owner, { payments: "each" });
  await aPayment(live(), 5_000, "Your Oja account is locked. Call 0800, or https:\ufeff/\ufeff/evil.\ufeffexample/x");
  await aPayment(live(), 6_000, "www.1.2.3.4 and evil.4you");
  await sweep();
  const texts = await textsOf(team.as.owner);
  expect(texts).toHaveLength(2);
  expect(texts.join()).not.toMatch(/evil\.example|www\.1|evil\.4/);
  expect(texts.join()).toContain("For “Your Oja account is locked.");
});
