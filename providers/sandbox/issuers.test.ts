import { randomBytes } from "node:crypto";
import { sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { withAnswerChanger } from "#testing/answer-changer.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { describeIssuer, type IssuerUnderTest } from "../issuer.conformance.ts";
import { sandboxAsyncIssuer } from "./async-issuer.ts";
import { type SandboxIssuer, sandboxIssuer } from "./issuer.ts";

withDatabase();
withApp();
const changer = withAnswerChanger();

const HOUSES = {
  sandbox: () => sandboxIssuer({ url: changer.url, requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() }),
  "sandbox-async": () => sandboxAsyncIssuer({ url: changer.url, requestSecret: sandboxRequestSecret() }),
};

let people = 0;

function underTest(house: keyof typeof HOUSES, issuer: SandboxIssuer): IssuerUnderTest {
  const person = people++;
  return {
    issuer,
    emails: { approved: `p${person}@example.com`, rejected: `p${person}+rejected@example.com` },
    isSigned: house === "sandbox",
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
      if ("refused" in outcome) throw new Error(outcome.refused);
      return outcome.transactionReference;
    },
    async loseAnswer(type, card, happens) {
      const operation = type === "terminate" ? "close" : type;
      const fault = happens === "done" ? "error_after" : "error_before";
      await sql()`insert into sandbox.provider_faults (house, operation, subject, fault) values (${house}, ${operation}, ${card ?? "*"}, ${fault})`;
    },
    async notices() {
      const rows = await sql()<
        { body: unknown }[]
      >`select body from sandbox.notices where path = ${`/api/providers/${house}/card-notices`}`;
      return rows.map((row) => {
        const body = JSON.stringify(row.body);
        return { body, headers: new Headers({ "x-sandbox-signature": sign(sandboxNoticeSecret(), body) }) };
      });
    },
  };
}

for (const [house, make] of Object.entries(HOUSES)) {
  let issuer: SandboxIssuer | undefined;
  describeIssuer(house, () => {
    issuer ??= make();
    return underTest(house as keyof typeof HOUSES, issuer);
  });
}
