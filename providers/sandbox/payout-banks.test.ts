import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { withAnswerChanger } from "#testing/answer-changer.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { describePayoutBank } from "../payout-bank.conformance.ts";
import { sandboxPayoutBank } from "./payout-bank.ts";
import { sandboxPlainPayoutBank } from "./plain-payout-bank.ts";

withDatabase();
withApp();
const changer = withAnswerChanger();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";

for (const [name, make] of [
  ["sandbox", sandboxPayoutBank],
  ["sandbox-plain", sandboxPlainPayoutBank],
] as const) {
  describePayoutBank(name, () => ({
    bank: make({ url: changer.url, requestSecret: sandboxRequestSecret() }),
    unreachable: make({ url: NOWHERE, requestSecret: sandboxRequestSecret() }),
    bankCode: "00A",
    accounts: {
      ...{ paid: "0123454417", failed: "0123450000", paidLater: "0123451111", failedLater: "0123452222" },
      ...{ reversed: "0123455555", none: "0123454040" },
    },
    loseNextAnswer: changer.loseNextAnswer,
    changeNextAnswer: changer.changeNextAnswer,
  }));
}
