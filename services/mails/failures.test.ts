import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { systemContext } from "../context.ts";
import { LINK_WORKS_FOR_MS } from "./mail.ts";
import { alertsOfMails, allOf, aMail, KINDS, makeDue, makeOlder, rowOf, TOKEN } from "./mails.fixture.ts";
import { purgeOldMails } from "./purge-mails.ts";
import { nextWaitMs } from "./retry-table.ts";
import { sendDueMails } from "./send-due-mails.ts";
import { SMTP_PASSWORD, SMTP_USER, withSmtpServer } from "./smtp-server.fixture.ts";

withDatabase();
const server = withSmtpServer();
const sweep = (maxAttemptMs?: number) => sendDueMails(systemContext("test"), 20, maxAttemptMs);

beforeEach(async () => {
  await sql()`delete from mails`;
  await sql()`delete from alerts where type = 'mail.failed'`;
});
afterEach(() => void server.received.splice(0));

const WAITS_S = [30, 120, 600, 1_800, 7_200, 21_600];

test("a server that is down delays a mail, which arrives when the server is back", async () => {
  const mail = await aMail();
  await server.close();
  await sweep();
  const delayed = await rowOf(mail);
  await server.listen();
  expect(delayed).toMatchObject({ isWaiting: true, hasBody: true, attempts: 1, lastError: "unreachable" });
  expect(delayed?.waitS).toBeGreaterThan(20);
  expect(delayed?.waitS).toBeLessThanOrEqual(36);
  expect(await sweep()).toBe(0);
  await makeDue(mail);
  expect(await sweep()).toBe(1);
  expect(server.mailsTo(mail.to)).toHaveLength(1);
  expect(await rowOf(mail)).toMatchObject({ isSent: true, hasBody: false, lastError: null });
  expect(await alertsOfMails()).toEqual([]);
});

test("a mail that is deferred is tried seven times, then it has failed, its body is erased and operators are alerted", async () => {
  const mail = await aMail("password_changed");
  server.treat(mail.to, "defer");
  for (const [attempts, waitS] of WAITS_S.entries()) {
    await sweep();
    const row = await rowOf(mail);
    expect(row).toMatchObject({ isWaiting: true, hasBody: true, attempts: attempts + 1, lastError: "deferred" });
    expect(row?.waitS).toBeGreaterThan(waitS - 20);
    expect(row?.waitS).toBeLessThanOrEqual(waitS * 1.2);
    expect(await alertsOfMails()).toEqual([]);
    await makeDue(mail);
  }
  await sweep();
  expect(await rowOf(mail)).toMatchObject({ isWaiting: false, isFailed: true, isSent: false, hasBody: false, lastError: "deferred" });
  expect(await alertsOfMails()).toEqual([{ resourceId: "password_changed", message: expect.stringContaining("refused it for now") }]);
});

test("after each failed attempt, the wait is as long as the table says or up to a fifth longer", () => {
  for (const [i, waitS] of WAITS_S.entries()) {
    expect(nextWaitMs(i + 1, 0)).toBe(waitS * 1_000);
    expect(nextWaitMs(i + 1, 1)).toBe(waitS * 1_200);
  }
  expect(nextWaitMs(WAITS_S.length + 1)).toBeUndefined();
});

test("a recipient that the server refuses fails at once, and operators are alerted once a day for a kind, without the address", async () => {
  const [first, second, other] = [await aMail(), await aMail(), await aMail()];
  for (const { to } of [first, second]) server.treat(to, "refuse");
  await sweep();
  for (const mail of [first, second]) {
    expect(await rowOf(mail)).toMatchObject({ isFailed: true, hasBody: false, attempts: 1, lastError: "refused" });
    expect(await makeDue(mail)).toHaveLength(0);
  }
  expect(await rowOf(other)).toMatchObject({ isSent: true });
  const alerts = await alertsOfMails();
  expect(alerts).toEqual([{ resourceId: "verify_email", message: expect.stringContaining("refused the recipient") }]);
  expect(JSON.stringify(alerts)).not.toContain("people.example");
  expect(await sweep()).toBe(0);
});

test("a server that refuses our sender or our password is tried again, because operators can mend that", async () => {
  const [unsent, unsigned] = [await aMail(), await aMail()];
  server.treat(unsent.to, "refuse sender");
  await sweep();
  server.treat(unsent.to, "take");
  expect(await rowOf(unsent)).toMatchObject({ isWaiting: true, hasBody: true, lastError: "rejected" });
  await makeDue(unsigned);
  server.refusesSignIn = true;
  await sweep();
  server.refusesSignIn = false;
  expect(await rowOf(unsigned)).toMatchObject({ isWaiting: true, hasBody: true, lastError: "sign_in" });
});

describe.each(["hang", "drip"] as const)("a server that answers one mail with a %s", (behaviour) => {
  test("does not delay the other mails, and its attempt ends within the limit", async () => {
    const stuck = await aMail();
    server.treat(stuck.to, behaviour);
    const others = [await aMail(), await aMail(), await aMail(), await aMail(), await aMail()];
    const swept = sweep(5_000);
    await until(async () => server.received.length === others.length);
    expect(await rowOf(stuck)).toMatchObject({ attempts: 1, lastError: null });
    expect(await swept).toBe(6);
    expect(await rowOf(stuck)).toMatchObject({ isWaiting: true, hasBody: true, attempts: 1, lastError: "timeout" });
    for (const mail of others) expect(await rowOf(mail)).toMatchObject({ isSent: true });
  });
});

describe("a mail whose link has ended", () => {
  test.each([
    ["verify_email", "3 days", "2 days 23:59"],
    ["reset_password", "30 minutes", "29 minutes"],
    ["invitation", "7 days", "6 days"],
    ["first_factor_code", "15 minutes", "14 minutes"],
    ["remove_factors", "7 days", "6 days"],
  ] as const)("is not sent (%s, after %s), and operators are alerted", async (kind, age, less) => {
    const [stale, young] = [await aMail(kind), await aMail(kind)];
    await makeOlder(stale, age);
    await makeOlder(young, less);
    await sweep();
    expect(server.received.map(({ recipient }) => recipient)).toEqual([young.to]);
    expect(await rowOf(stale)).toMatchObject({ isFailed: true, hasBody: false, lastError: "link_ended" });
    expect(await alertsOfMails()).toEqual([{ resourceId: kind, message: expect.stringContaining("link had ended") }]);
  });

  test("only news and mails with an ended link are too late to send: every other kind is sent after ten days", async () => {
    const news = [await aMail("news"), await aMail("summary")];
    for (const mail of news) await makeOlder(mail, "25 hours");
    const kinds = KINDS.filter((kind) => !(kind in LINK_WORKS_FOR_MS) && kind !== "news" && kind !== "summary");
    const others = await Promise.all(kinds.map((kind) => aMail(kind)));
    for (const mail of others) await makeOlder(mail, "10 days");
    await sweep();
    for (const mail of others) expect(await rowOf(mail)).toMatchObject({ isSent: true });
    for (const mail of news) expect(await rowOf(mail)).toMatchObject({ isFailed: true, hasBody: false, lastError: "link_ended" });
  });
});

test("no entry of the log, no alert and no row contains the address's owner, a link, the password of the server or its words", async () => {
  const lines: unknown[] = [];
  for (const level of ["debug", "info", "warn", "error"] as const)
    vi.spyOn(log(), level).mockImplementation((...entry: unknown[]) => void lines.push(entry));
  const [sent, refused, deferred] = [await aMail(), await aMail(), await aMail("reset_password")];
  server.treat(refused.to, "refuse");
  server.treat(deferred.to, "defer");
  await sweep();
  server.refusesSignIn = true;
  await makeDue(deferred);
  await sweep();
  server.refusesSignIn = false;
  vi.restoreAllMocks();
  const logged = JSON.stringify(lines);
  for (const { id } of [sent, refused, deferred]) expect(logged).toContain(id);
  const rows = (await Promise.all([sent, refused, deferred].map(allOf))).map((row) => row.replace(/"recipient":"[^"]*"/, ""));
  const everything = `${logged}${JSON.stringify(await alertsOfMails())}${rows}`;
  const credentials = Buffer.from(`\0${SMTP_USER}\0${SMTP_PASSWORD}`).toString("base64");
  for (const secret of ["people.example", TOKEN, "Ada Obi", SMTP_PASSWORD, credentials, "mailbox", "535 not with"])
    expect(everything).not.toContain(secret);
});

test("mails are deleted after 30 days, sent or not, and not before", async () => {
  const [oldSent, oldWaiting, young] = [await aMail(), await aMail("new_device"), await aMail()];
  await makeDue(oldSent);
  await sweep();
  for (const mail of [oldSent, oldWaiting]) await makeOlder(mail, "30 days 1 minute");
  await makeOlder(young, "29 days 23 hours");
  expect(await purgeOldMails(systemContext("test"))).toBe(2);
  expect([await rowOf(oldSent), await rowOf(oldWaiting)]).toEqual([undefined, undefined]);
  expect(await rowOf(young)).toBeDefined();
});
