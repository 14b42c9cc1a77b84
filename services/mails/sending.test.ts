import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../context.ts";
import { allOf, aMail, makeDue, rowOf, TOKEN, wordsOf } from "./mails.fixture.ts";
import { queueMail } from "./queue-mail.ts";
import { claimDueMail, retryLater } from "./rows.ts";
import { sendDueMails } from "./send-due-mails.ts";
import { withSmtpServer } from "./smtp-server.fixture.ts";
import { submitMail } from "./transport.ts";

withDatabase(undefined, { BASE_URL: "https://pay.example.com" });
const server = withSmtpServer();
/** Returns the text of a quoted-printable body (RFC 2045). */
const decoded = (body: string): string =>
  decodeURIComponent(
    body
      .replaceAll("=\r\n", "")
      .replaceAll("%", "%25")
      .replaceAll(/=([0-9A-F]{2})/g, "%$1"),
  );
const sweep = (limit?: number) => sendDueMails(systemContext("test"), limit);

beforeEach(async () => void (await sql()`delete from mails`));
afterEach(() => server.received.splice(0));

test("each of twelve mails arrives once when five sweeps run at once", async () => {
  const queued = await Promise.all(times(12, () => aMail()));
  const attended = await Promise.all(times(5, () => sweep()));
  expect(attended.reduce((sum, each) => sum + each, 0)).toBe(12);
  expect(server.received.map(({ recipient }) => recipient).toSorted()).toEqual(queued.map(({ to }) => to).toSorted());
  for (const mail of queued) expect(await rowOf(mail)).toMatchObject({ isSent: true, isWaiting: false, attempts: 1, lastError: null });
  expect(await sweep()).toBe(0);
});

test("a sweep attends to no more mails than its limit, the longest due first", async () => {
  const [first, second, third] = [await aMail(), await aMail(), await aMail()];
  await sql()`update mails set next_attempt_at = now() - interval '1 minute' where id = ${third.id}`;
  await sql()`update mails set next_attempt_at = now() - interval '2 minutes' where id = ${first.id}`;
  expect(await sweep(2)).toBe(2);
  expect([await rowOf(first), await rowOf(second), await rowOf(third)].map((row) => row?.isSent)).toEqual([true, false, true]);
});

test("mails that strangers cause by signing up are sent after all others, also when they were due first", async () => {
  const strangers = [await aMail("verify_email"), await aMail("email_taken")];
  const others = [await aMail("reset_password"), await aMail("password_changed"), await aMail("new_device")];
  for (const mail of [...others, ...strangers]) {
    const claimed = await claimDueMail(60_000);
    expect(claimed?.id).toBe(mail.id);
  }
  expect(await claimDueMail(60_000)).toBeUndefined();
});

test("the body is sealed while the mail waits, and erased once it is sent", async () => {
  const mail = await aMail("reset_password");
  const waiting = await allOf(mail);
  expect(waiting).toContain("v1.");
  for (const secret of [TOKEN, "Ada Obi", "password for"]) expect(waiting).not.toContain(secret);
  await sweep();
  expect(server.mailsTo(mail.to)).toHaveLength(1);
  expect(await rowOf(mail)).toMatchObject({ isSent: true, hasBody: false });
  expect(await allOf(mail)).not.toContain("v1.");
});

test("a transaction that is rolled back queues nothing", async () => {
  const rolledBack = transaction(async (tx) => {
    await queueMail(tx, systemContext("test"), { to: "ada@people.example", kind: "verify_email", words: wordsOf("Ada").verify_email });
    throw new Error("changed our mind");
  });
  await expect(rolledBack).rejects.toThrow("changed our mind");
  expect(await sweep()).toBe(0);
  expect(server.received).toEqual([]);
});

test("a body that is moved to another row is not sent, because it does not open there", async () => {
  const [mine, yours] = [await aMail(), await aMail()];
  await sql()`update mails set sealed_body = (select sealed_body from mails where id = ${mine.id}) where id = ${yours.id}`;
  await sweep();
  expect(await rowOf(yours)).toMatchObject({ isSent: false, hasBody: true, lastError: "unreadable" });
  expect(server.received.map(({ recipient }) => recipient)).toEqual([mine.to]);
});

describe("a worker that ends between the sending of a mail and its marking", () => {
  test("keeps the mail from others for its lease, and then another worker sends it", async () => {
    const mail = await aMail();
    expect(await claimDueMail(60_000)).toMatchObject({ id: mail.id, attempts: 1 });
    expect(await sweep()).toBe(0);
    expect((await rowOf(mail))?.waitS).toBeGreaterThan(50);
    await makeDue(mail);
    expect(await sweep()).toBe(1);
    expect(await rowOf(mail)).toMatchObject({ isSent: true, attempts: 2 });
    expect(server.mailsTo(mail.to)).toHaveLength(1);
  });

  test("does not set the next attempt of a worker that took the mail over", async () => {
    const mail = await aMail();
    const superseded = await claimDueMail(60_000);
    await makeDue(mail);
    expect(await claimDueMail(60_000)).toMatchObject({ id: mail.id, attempts: 2 });
    if (superseded) await retryLater(superseded, "timeout", 1_000_000);
    expect(await rowOf(mail)).toMatchObject({ attempts: 2, lastError: null });
    expect((await rowOf(mail))?.waitS).toBeLessThan(100);
  });
});

test("a connection that ends after the mail was handed over leads to a second copy with the same Message-ID, and to no loss", async () => {
  const mail = await aMail();
  server.treat(mail.to, "drop after data");
  await sweep();
  expect(await rowOf(mail)).toMatchObject({ isWaiting: true, hasBody: true, lastError: "unreachable" });
  server.treat(mail.to, "take");
  await makeDue(mail);
  await sweep();
  const ids = server.mailsTo(mail.to).map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1]);
  expect(ids).toEqual([`<${mail.id}@pay.example.com>`, `<${mail.id}@pay.example.com>`]);
  expect(await rowOf(mail)).toMatchObject({ isSent: true, hasBody: false, lastError: null });
});

describe("the mail that arrives", () => {
  test("has the headers of one mail from MAIL_FROM to one recipient, and says the same in text and HTML", async () => {
    const mail = await aMail("new_device");
    await sweep();
    const [arrived = { raw: "", sender: "", recipient: "" }] = server.mailsTo(mail.to);
    const [head = "", ...rest] = arrived.raw.split("\r\n\r\n");
    expect(arrived.sender).toBe("no-reply@pay.example.com");
    const headers = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
    expect(headers.map((line) => line.slice(0, line.indexOf(":"))).toSorted()).toEqual(
      [
        "Auto-Submitted",
        "Content-Type",
        "Date",
        "From",
        "MIME-Version",
        "Message-ID",
        "Subject",
        "To",
        "X-Auto-Response-Suppress",
      ].toSorted(),
    );
    expect(headers).toContain("From: Oja <no-reply@pay.example.com>");
    expect(headers).toContain(`To: ${mail.to}`);
    expect(headers).toContain("Subject: New sign-in to your Oja account");
    const body = decoded(rest.join("\r\n\r\n"));
    expect(body.split("https://pay.example.com/sessions?token=").length - 1).toBe(2);
    expect(body.split("“Chrome on Android”").length - 1).toBe(2);
  });

  test("a mail has exactly one recipient: text that is not one email address is refused before it is stored", async () => {
    const hostile = [
      "ada@people.example\r\nBcc: eve@evil.example",
      "ada@people.example,eve@evil.example",
      "ada@people.example eve@evil.example",
      "Ada <ada@people.example>",
      "ada@people.example>\r\nRCPT TO:<eve@evil.example",
      "ada",
      "",
    ];
    for (const to of hostile) {
      const queued = transaction((tx) =>
        queueMail(tx, systemContext("test"), { to, kind: "verify_email", words: wordsOf("Ada").verify_email }),
      );
      await expect(queued, to).rejects.toThrow("the recipient of a mail must be one email address");
      const stored = sql()`insert into mails (id, recipient, kind, sealed_body) values ('mai_x', ${to}, 'verify_email', 'v1.x')`;
      await expect(stored, to).rejects.toMatchObject({ constraint_name: "mails_recipient_is_one_address" });
    }
  });

  test("is not handed over without encryption to a server on another machine", async () => {
    const elsewhere = { host: "127.0.0.1", port: server.port, encryption: "starttls", signIn: undefined } as const;
    const mail = { id: "mai_x", recipient: "ada@people.example", subject: "s", text: "t", html: "<p>t</p>" };
    await expect(submitMail(elsewhere, mail, 10_000)).rejects.toMatchObject({ code: "ETLS" });
    expect(server.received).toEqual([]);
  });
});
