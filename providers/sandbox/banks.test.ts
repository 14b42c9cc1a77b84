import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { type Money, naira } from "#lib/money.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { withAnswerChanger } from "#testing/answer-changer.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { describeBank } from "../bank.conformance.ts";
import { describeRefunds } from "../refunds.conformance.ts";
import { type SandboxBank, sandboxBank } from "./bank.ts";
import { sandboxPlainBank } from "./plain-bank.ts";

withDatabase();
withApp();
const changer = withAnswerChanger();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";

const connectionTo = (url: string) => ({ url, requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() });

interface Paying {
  amount?: Money;
  senderName?: string;
  senderAccount?: string;
}

async function payAt(
  bank: SandboxBank,
  accountNumber: string,
  { amount = naira(5_432.1), senderName = "Chidi Okafor", senderAccount }: Paying = {},
) {
  const sessionId = randomBytes(12).toString("hex");
  await bank.makeTransfer({ accountNumber, amount, senderName, senderAccount, sessionId, madeAt: null });
  return sessionId;
}

const signed = (body: string) => ({ body, headers: new Headers({ "x-sandbox-signature": sign(sandboxNoticeSecret(), body) }) });

for (const [name, make] of [
  ["sandbox", sandboxBank],
  ["sandbox-plain", sandboxPlainBank],
] as const) {
  describeBank(name, () => {
    const bank = make(connectionTo(changer.url));
    return {
      bank,
      unreachable: make(connectionTo(NOWHERE)),
      loseNextAnswer: changer.loseNextAnswer,
      changeNextAnswer: changer.changeNextAnswer,
      pay: ({ accountNumber }, amount) => payAt(bank, accountNumber, { amount }),
      async endTime(reference) {
        await sql()`update sandbox.bank_accounts set closes_at = now() - interval '1 s' where reference = ${reference}`;
      },
      async passDay() {
        await sql()`update sandbox.bank_transfers set made_at = made_at - interval '1 day', returned_at = returned_at - interval '1 day'`;
      },
      async notices() {
        const rows = await sql()<{ body: unknown }[]>`
          select body from sandbox.notices where path = ${`/api/providers/${name}/notices`} order by id`;
        return rows.map((row) => signed(JSON.stringify(row.body)));
      },
    };
  });
}

describeRefunds("sandbox", () => {
  const bank = sandboxBank(connectionTo(changer.url));
  return {
    bank,
    unreachable: sandboxBank(connectionTo(NOWHERE)),
    loseNextOrder: changer.loseNextAnswer,
    changeNextAnswer: changer.changeNextAnswer,
    async pay(amount, end) {
      const reference = randomBytes(12).toString("hex");
      const payer = { name: "Customer", email: `${reference}@shop.example` };
      const opened = await bank.openAccount({ reference, amount, accountName: "Shop", validForMs: 1_800_000, payer });
      if (opened.status !== "opened") throw new Error(opened.status);
      const senderAccount = end === "failed" ? "0123450000" : "0123454417";
      return { sessionId: await payAt(bank, opened.account.accountNumber, { amount, senderAccount }), accountReference: reference };
    },
  };
});

test("the plain bank says that a return failed, or that it needs the payer's account", async () => {
  const bank = sandboxPlainBank(connectionTo(changer.url));
  for (const [senderName, outcome] of [
    ["Closed Account", "failed"],
    ["Unknown Account", "needs_details"],
  ] as const) {
    const reference = randomBytes(12).toString("hex");
    const opened = await bank.openAccount({
      ...{ reference, amount: naira(500), accountName: "Shop", validForMs: 1_800_000 },
      payer: { name: "Customer", email: `${reference}@shop.example` },
    });
    if (opened.status !== "opened") throw new Error(opened.status);
    const sessionId = await payAt(bank, opened.account.accountNumber, { amount: naira(500), senderName });
    expect(await bank.returnTransfer({ sessionId, accountReference: reference, amount: naira(500) })).toBe(outcome);
  }
});

test("a signed notice of the plain bank about anything but an account is irrelevant", () => {
  const { headers, body } = signed('{"event":"statement.ready"}');
  expect(sandboxPlainBank(connectionTo(NOWHERE)).readNotice(headers, body)).toBe("irrelevant");
});
