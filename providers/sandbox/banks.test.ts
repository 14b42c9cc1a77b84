import { randomBytes } from "node:crypto";
import { sql } from "#db/client.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { withAnswerChanger } from "#testing/answer-changer.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { describeBank } from "../bank.conformance.ts";
import { sandboxBank } from "./bank.ts";

withDatabase();
withApp();
const changer = withAnswerChanger();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";

describeBank("sandbox", () => {
  const secrets = { requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() };
  const bank = sandboxBank({ url: changer.url, ...secrets });
  return {
    bank,
    unreachable: sandboxBank({ url: NOWHERE, ...secrets }),
    loseNextAnswer: changer.loseNextAnswer,
    changeNextAnswer: changer.changeNextAnswer,
    async pay({ accountNumber }, amount) {
      const sessionId = randomBytes(12).toString("hex");
      await bank.makeTransfer({ accountNumber, amount, senderName: "Chidi Okafor", sessionId, madeAt: null });
      return sessionId;
    },
    async notices() {
      const rows = await sql()<{ body: unknown }[]>`
        select body from sandbox.notices where path = '/api/providers/sandbox/notices' order by id`;
      return rows.map((row) => {
        const body = JSON.stringify(row.body);
        return { body, headers: new Headers({ "x-sandbox-signature": sign(sandboxNoticeSecret(), body) }) };
      });
    },
  };
});
