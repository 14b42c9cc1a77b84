import { randomBytes } from "node:crypto";
import { sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { withAnswerChanger } from "#testing/answer-changer.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { describeIssuer } from "../issuer.conformance.ts";
import type { IssuerUnderTest } from "../issuer.fixture.ts";
import { describeIssuerAnswers } from "../issuer-answers.conformance.ts";
import { describeIssuerSpend } from "../issuer-spend.conformance.ts";
import { sandboxAsyncIssuer } from "./async-issuer.ts";
import { type SandboxIssuer, sandboxIssuer } from "./issuer.ts";

withDatabase();
withApp();
const changer = withAnswerChanger();

const ISSUERS = {
  sandbox: () => sandboxIssuer({ url: changer.url, requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() }),
  "sandbox-async": () => sandboxAsyncIssuer({ url: changer.url, requestSecret: sandboxRequestSecret() }),
};

let cardholderCount = 0;

function underTest(name: keyof typeof ISSUERS, issuer: SandboxIssuer): IssuerUnderTest {
  const n = cardholderCount++;
  return {
    issuer,
    emails: { approved: `p${n}@example.com`, rejected: `p${n}+rejected@example.com` },
    isSigned: name === "sandbox",
    changeNextAnswer: changer.changeNextAnswer,
    async spend(cardReference, type, amount, follows) {
      const outcome = await issuer.spend({
        transactionReference: `tx_${randomBytes(8).toString("hex")}`,
        cardReference,
        type,
        amount: dollars(amount),
        relatedReference: follows ?? null,
        merchantName: "Shop",
      });
      if (outcome.status !== "done") throw new Error(outcome.status === "refused" ? outcome.refused : "no answer");
      return outcome.transactionReference;
    },
    async moveBack(transaction, hours) {
      await sql()`
        update sandbox.card_transactions set created_at = created_at - ${hours} * interval '1 hour' where house = ${name} and id = ${transaction}`;
    },
    async loseAnswer(type, card, happens) {
      const operation = type === "terminate" ? "close" : type;
      const fault = happens === "done" ? "error_after" : "error_before";
      await sql()`insert into sandbox.provider_faults (house, operation, subject, fault) values (${name}, ${operation}, ${card ?? "*"}, ${fault})`;
    },
    async notices() {
      const rows = await sql()<{ body: unknown }[]>`select body from sandbox.notices where path = ${`/api/providers/${name}/card-notices`}`;
      return rows.map((row) => {
        const body = JSON.stringify(row.body);
        return { body, headers: new Headers({ "x-sandbox-signature": sign(sandboxNoticeSecret(), body) }) };
      });
    },
  };
}

for (const [name, make] of Object.entries(ISSUERS)) {
  let issuer: SandboxIssuer | undefined;
  for (const describeSuite of [describeIssuer, describeIssuerSpend, describeIssuerAnswers])
    describeSuite(name, () => {
      issuer ??= make();
      return underTest(name as keyof typeof ISSUERS, issuer);
    });
}
