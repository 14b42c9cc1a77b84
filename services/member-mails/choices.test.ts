import { beforeEach, expect, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import { systemContext } from "../context.ts";
import { advanceFigures } from "../figures/index.ts";
import { noteDaysForMails, notePaymentsForMails, queueMemberMails, setMailChoices } from "./index.ts";
import {
  aBlockedCard,
  aPayment,
  aTeam,
  chooseDaysAgo,
  dayFromNow,
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

test("a member who saves the same choice again still gets the mail about every day of payments", async () => {
  await setMailChoices(team.as.owner, { payments: "daily" });
  await chooseDaysAgo(2);
  await aPayment(live(), 5_000);
  await setMailChoices(team.as.owner, { payments: "daily" });
  await advanceFigures(job);
  expect(await noteDaysForMails(job, dayFromNow(1, 9))).toBe(1);
});

test("a member who chooses 'each payment' does not stop the mails of a colleague who chose it earlier", async () => {
  await setMailChoices(team.as.owner, { payments: "each" });
  await aPayment(live(), 5_000);
  await setMailChoices(team.as.admin, { payments: "each" });
  await aPayment(live(), 2_000);
  await notePaymentsForMails(job);
  await queueMemberMails(job);
  expect(await textsOf(team.as.owner)).toEqual([expect.stringContaining("₦5,000.00"), expect.stringContaining("₦2,000.00")]);
  expect(await textsOf(team.as.admin)).toEqual([expect.stringContaining("₦2,000.00")]);
});

test("the morning's summary does not delay mails of other topics", async () => {
  await setMailChoices(team.as.owner, { payments: "daily", cards: "each" });
  await chooseDaysAgo(2);
  await aPayment(live(), 5_000);
  await advanceFigures(job);
  await noteDaysForMails(job, dayFromNow(1, 9));
  await queueMemberMails(job);
  await letMinutesPass(5);
  await aBlockedCard(live());
  await sweep();
  expect(await kindsOf(team.as.owner)).toEqual(["summary", "news"]);
});
