import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import { Paystack } from "#testing/providers/paystack/paystack.ts";

/** An act of other people at Paystack: a payer sends money, a bank says whose an account is, a transfer ends. */
type Act =
  | { act: "pay"; accountNumber: string; kobo: number }
  | { act: "name"; accountNumber: string; name: string }
  | { act: "finish"; accountNumber: string; status: "success" | "failed" | "reversed" };

/**
 * Runs a simulated Paystack for all journeys, in the process of the setup. Returns the settings by which the service finds it, and journeys reach it
 * (`atPaystack`).
 */
export async function startPaystack(baseUrl: string): Promise<Record<string, string>> {
  const paystack = new Paystack();
  const port = await listenOnLoopback(paystack.wire.server);
  paystack.noticeUrl = `${baseUrl}/api/providers/paystack/notices`;
  const acts = createServer(async (incoming, outgoing) => {
    const act = (await json(incoming)) as Act;
    const answer = await perform(paystack, act);
    outgoing.end(JSON.stringify({ answer }));
  });
  return {
    OJA_PAYSTACK_BASE_URL: `http://127.0.0.1:${port}`,
    OJA_PAYSTACK_SECRET_KEY: paystack.secretKey,
    E2E_PAYSTACK: `http://127.0.0.1:${await listenOnLoopback(acts)}`,
  };
}

async function perform(paystack: Paystack, act: Act): Promise<unknown> {
  switch (act.act) {
    case "pay":
      return paystack.pay(act.accountNumber, act.kobo);
    case "name":
      return paystack.payouts.nameOwner(act.accountNumber, act.name);
    case "finish":
      return paystack.finishPayout(paystack.payouts.lastReferenceTo(act.accountNumber), act.status);
  }
}

/** Has other people act at the simulated Paystack. Resolves once their notice is acknowledged. */
export async function atPaystack(act: Act): Promise<void> {
  const answer = await fetch(process.env.E2E_PAYSTACK ?? "", { method: "POST", body: JSON.stringify(act) });
  if (!answer.ok) throw new Error(await answer.text());
}
