import { beforeEach, describe, expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { raiseAlert } from "../alerts/index.ts";
import { systemContext } from "../context.ts";
import { noteAlertsForMails, queueMemberMails, setMailChoices } from "./index.ts";
import {
  aBlockedCard,
  aFailingEndpoint,
  aPayment,
  aTeam,
  kindsOf,
  letMinutesPass,
  sweep,
  type Team,
  textsOf,
} from "./member-mails.fixture.ts";

withDatabase();
const job = systemContext("test");

let team: Team;
beforeEach(async () => {
  team = await aTeam();
});
const live = () => team.shop.liveMerchantId;

test("an alert is mailed once to each member whose role is mailed about it, by five workers at once", async () => {
  await aBlockedCard(live());
  await Promise.all(times(5, () => noteAlertsForMails(job)));
  await Promise.all(times(5, () => queueMemberMails(job)));
  await sweep();
  expect(await kindsOf(team.as.owner)).toEqual(["news"]);
  expect(await kindsOf(team.as.admin)).toEqual(["news"]);
  for (const role of ["developer", "support", "viewer"] as const) expect(await kindsOf(team.as[role])).toEqual([]);
  const [text] = await textsOf(team.as.owner);
  expect(text).toContain("A card is blocked");
  expect(text).toContain(`/b/${team.shop.merchant.businessId}/live/cards/card_1`);
});

test("developers are mailed about webhooks, and an alert of test mode is mailed to nobody", async () => {
  await aFailingEndpoint(live());
  await aFailingEndpoint(team.shop.merchant.id);
  await sweep();
  for (const role of ["owner", "admin", "developer"] as const) expect(await kindsOf(team.as[role])).toEqual(["news"]);
  for (const role of ["support", "viewer"] as const) expect(await kindsOf(team.as[role])).toEqual([]);
});

test("ten calls at once that raise an alert for one cause raise one alert", async () => {
  const alert = { type: "wallet.debt", message: "You owe it.", resourceId: "ltr_1", cause: "ltr_1" } as const;
  const raised = await Promise.all(times(10, () => raiseAlert(db(), live(), alert)));
  expect(raised.filter(Boolean)).toHaveLength(1);
  await sweep();
  expect(await kindsOf(team.as.owner)).toEqual(["news"]);
});

describe("a flood", () => {
  test("thirty alerts are one summary, ten minutes after the first alert", async () => {
    for (let n = 0; n < 30; n++) await aBlockedCard(live(), `card_${n}`);
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual([]);
    await letMinutesPass(11);
    await Promise.all(times(3, () => queueMemberMails(job)));
    expect(await kindsOf(team.as.owner)).toEqual(["summary"]);
    const [text = ""] = await textsOf(team.as.owner);
    expect(text).toContain("5 of 30 other things, the newest of each kind");
    expect(text.match(/A card is blocked/g)).toHaveLength(5);
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual(["summary"]);
  });

  test("an alert a minute for 90 minutes gives at most five mails and a summary an hour, and each alert is mailed once", async () => {
    const sent: number[] = [];
    for (let minute = 0; minute < 90; minute++) {
      await aBlockedCard(live(), `card_${minute}`);
      await sweep();
      sent.push((await kindsOf(team.as.owner)).length);
      await letMinutesPass(1);
    }
    for (const [minute, count] of sent.entries()) expect(count - (sent[minute - 60] ?? 0)).toBeLessThanOrEqual(6);
    await letMinutesPass(61);
    await sweep();
    const [row] = await sql()<{ told: number; waiting: number }[]>`
      select count(mailed_at)::int as told, count(due_at)::int as waiting from mail_items
      where merchant_id = ${live()} and user_id = ${team.as.owner.actor.id}`;
    expect(row).toEqual({ told: 90, waiting: 0 });
  });
});

describe("a choice", () => {
  test("a member who chooses 'never' gets no mail of the topic, not even about alerts that were waiting", async () => {
    await aBlockedCard(live());
    await noteAlertsForMails(job);
    await setMailChoices(team.as.owner, { cards: "never" });
    await queueMemberMails(job);
    await aBlockedCard(live());
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual([]);
    expect(await kindsOf(team.as.admin)).toEqual(["news", "news"]);
  });

  test("a member who chooses 'once a day' gets one mail of the topic, in the morning", async () => {
    await setMailChoices(team.as.support, { cards: "daily" });
    for (const card of ["card_1", "card_2"]) await aBlockedCard(live(), card);
    await sweep();
    expect(await kindsOf(team.as.support)).toEqual([]);
    const [row] = await sql()<{ hour: number }[]>`
      select extract(hour from due_at at time zone 'Africa/Lagos')::int as hour from mail_items where user_id = ${team.as.support.actor.id}`;
    expect(row?.hour).toBe(7);
    await letMinutesPass(24 * 60);
    await sweep();
    expect(await kindsOf(team.as.support)).toEqual(["summary"]);
  });

  test("a member cannot choose a topic that the role may not see, and gets no mail of it after losing the role", async () => {
    await expect(setMailChoices(team.as.support, { developers: "each" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await setMailChoices(team.as.developer, { developers: "each" });
    await aFailingEndpoint(live());
    await noteAlertsForMails(job);
    await sql()`update members set role = 'support' where user_id = ${team.as.developer.actor.id}`;
    await sql()`delete from members where user_id = ${team.as.admin.actor.id}`;
    await queueMemberMails(job);
    expect(await kindsOf(team.as.developer)).toEqual([]);
    expect(await kindsOf(team.as.admin)).toEqual([]);
    expect(await kindsOf(team.as.owner)).toEqual(["news"]);
    expect(await sql()`select from mail_items where due_at is not null and merchant_id = ${live()}`).toHaveLength(0);
  });
});

describe("payments", () => {
  test("payments are mailed only to members who chose 'each', from the moment of their choice", async () => {
    await aPayment(live(), 1_000);
    await setMailChoices(team.as.viewer, { payments: "each" });
    await aPayment(live(), 5_000, "Two bags of rice");
    await sweep();
    await setMailChoices(team.as.support, { payments: "each" });
    await aPayment(live(), 7_250.5);
    await sweep();
    const texts = await textsOf(team.as.viewer);
    expect(texts.map((text) => text.match(/₦[\d,.]+\d/)?.[0])).toEqual(["₦5,000.00", "₦7,250.50"]);
    expect(texts[0]).toContain("Two bags of rice");
    expect(await kindsOf(team.as.support)).toEqual(["news"]);
    expect(await kindsOf(team.as.owner)).toEqual([]);
  });

  test("more than five payments an hour are mailed as one sum, exact to the kobo", async () => {
    await setMailChoices(team.as.owner, { payments: "each" });
    for (let n = 0; n < 40; n++) await aPayment(live(), 100.1);
    await sweep();
    await letMinutesPass(11);
    await sweep();
    expect(await kindsOf(team.as.owner)).toEqual(["summary"]);
    expect((await textsOf(team.as.owner))[0]).toContain("40 payments, ₦4,004.00 together");
  });

  test("payments from the time while a member had them switched off are not mailed later", async () => {
    await setMailChoices(team.as.owner, { payments: "each" });
    await setMailChoices(team.as.owner, { payments: "never" });
    await aPayment(live(), 1_000);
    await setMailChoices(team.as.owner, { payments: "each" });
    await aPayment(live(), 2_000);
    await sweep();
    expect(await textsOf(team.as.owner)).toEqual([expect.stringContaining("₦2,000.00")]);
  });
});

test("names of people are quoted in a mail, and no part of it becomes a link that is not ours", async () => {
  team = await aTeam("Shop\nhttps://evil.example");
  await setMailChoices(team.as.owner, { payments: "each" });
  await aPayment(live(), 5_000, "Rice\r\nBcc: a@evil.example http://evil.example/x <b>bold</b>");
  await aFailingEndpoint(live(), "evil.example/phish");
  await sweep();
  const texts = await textsOf(team.as.owner);
  expect(texts).toHaveLength(2);
  for (const text of texts) {
    expect(text).not.toMatch(/evil\.example/);
    for (const [link] of text.matchAll(/https?:\/\/\S+/g)) expect(link).toMatch(/\/b\/biz_/);
    expect(text.split("\n").filter((line) => /^(Bcc|https?:\/\/evil)/.test(line))).toEqual([]);
  }
});
