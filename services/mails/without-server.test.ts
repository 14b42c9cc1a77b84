import { expect, test } from "vitest";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { systemContext } from "../context.ts";
import { aMail, rowOf } from "./mails.fixture.ts";
import { sendDueMails } from "./send-due-mails.ts";

withDatabase();

test("without SMTP_URL mails wait with their bodies, and no attempt is counted", async () => {
  const mail = await aMail();
  expect(settings().SMTP_URL).toBeUndefined();
  expect(await sendDueMails(systemContext("test"))).toBe(0);
  expect(await rowOf(mail)).toMatchObject({ isWaiting: true, hasBody: true, attempts: 0, lastError: null });
});
