import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { withAnswerChanger } from "#testing/answer-changer.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { type AggregatorUnderTest, describeAggregator } from "../aggregator.conformance.ts";
import type { Aggregator } from "../aggregator.ts";
import { sandboxAggregator } from "./aggregator.ts";
import { signedCalls } from "./signed-calls.ts";
import { vtpassAggregator } from "./vtpass-aggregator.ts";

withDatabase();
withApp();
const changer = withAnswerChanger();

const AGGREGATORS = {
  sandbox: {
    path: "aggregator",
    make: () => sandboxAggregator({ url: changer.url, requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() }),
  },
  "sandbox-vtpass": {
    path: "aggregator-vtpass",
    make: () => vtpassAggregator({ url: changer.url, requestSecret: sandboxRequestSecret() }),
  },
};

function underTest(name: keyof typeof AGGREGATORS, aggregator: Aggregator): AggregatorUnderTest {
  const callSandbox = async (operation: string, body: Record<string, unknown>) => {
    const { status } = await signedCalls(`${settings().SANDBOX_URL}/sandbox/${AGGREGATORS[name].path}`, sandboxRequestSecret())(
      operation,
      body,
    );
    if (status !== 200) throw new Error(`${operation}: ${status}`);
  };
  return {
    aggregator,
    recipients: {
      delivered: "08031236789",
      failed: "08031230000",
      later: "08031231111",
      never: "08031232222",
      reversed: "08031235555",
    },
    quantities: { delivered: 3, partly: 17, failed: 13 },
    isSigned: name === "sandbox",
    changeNextAnswer: changer.changeNextAnswer,
    loseAnswer: (subject, happens) =>
      callSandbox("faults", { operation: "buy", subject, fault: happens === "delivered" ? "error_after" : "error_before" }),
    confuse: (operation, subject, fault) => callSandbox("faults", { operation, subject, fault }),
    changeList: (code, change) => callSandbox("changes", { code, ...change }),
    async notices() {
      const rows = await sql()<{ body: unknown }[]>`select body from sandbox.notices where path = ${`/api/providers/${name}/vtu-notices`}`;
      return rows.map((row) => {
        const body = JSON.stringify(row.body);
        return { body, headers: new Headers({ "x-sandbox-signature": sign(sandboxNoticeSecret(), body) }) };
      });
    },
  };
}

for (const [name, { make }] of Object.entries(AGGREGATORS)) {
  let aggregator: Aggregator | undefined;
  describeAggregator(name, () => {
    aggregator ??= make();
    return underTest(name as keyof typeof AGGREGATORS, aggregator);
  });
}
