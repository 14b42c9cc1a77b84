import { createHmac } from "node:crypto";
import { type Call, NO_ANSWER } from "../bearer-calls.ts";
import { checkClock, type LiveCheck, type LiveChecks, whyRefused } from "../live-checks.ts";
import { Balance, PoolCount, UndeliveredNotices } from "./replies.ts";

const SETTINGS = { secret: "OJA_SQUAD_SECRET_KEY", url: "OJA_SQUAD_BASE_URL" };

/** Returns what must be set up at Squad. */
export const squadLiveChecks = (call: Call, secretKey: string): LiveChecks => ({
  async check() {
    const reply = await call("GET", "/merchant/balance?currency_id=NGN").catch(() => NO_ANSWER);
    const isAccepted = reply.status === 200 && Balance.safeParse(reply.body).success;
    if (!isAccepted) return [{ claim: "Squad takes the key", problem: whyRefused("Squad", reply, SETTINGS) }];
    return [
      { claim: "Squad takes the key", problem: null },
      await checkPool(call),
      await checkUndelivered(call),
      checkClock("Squad", reply),
    ];
  },

  signedNotice() {
    const signed = { transaction_reference: "oja-self-test", amount_received: "0.00", merchant_reference: "oja-self-test" };
    const signature = createHmac("sha512", secretKey).update(JSON.stringify(signed)).digest("hex");
    // No product has this type, so no account is read for it.
    const body = JSON.stringify({ ...signed, transaction_type: "oja_self_test" });
    return { body, headers: { "content-type": "application/json", "x-squad-encrypted-body": signature } };
  },
});

async function checkPool(call: Call): Promise<LiveCheck> {
  const reply = await call("GET", "/virtual-account/count-dynamic-virtual-accounts").catch(() => NO_ANSWER);
  const count = PoolCount.safeParse(reply.body).data?.data.count_dynamic_virtual_account;
  const claim = "The pool has accounts";
  if (reply.status !== 200 || count === undefined)
    return { claim, problem: "Squad did not say how many. Let it profile the business for dynamic accounts." };
  return { claim, problem: count > 0 ? null : "It is empty. Make as many accounts as links are open at once: docs/providers/squad.md." };
}

async function checkUndelivered(call: Call): Promise<LiveCheck> {
  const reply = await call("GET", "/virtual-account/webhook/logs").catch(() => NO_ANSWER);
  const notices = UndeliveredNotices.safeParse(reply.body).data?.data;
  const claim = "No notice of Squad waits for delivery";
  if (reply.status !== 200 || notices === undefined) return { claim, problem: "Squad did not say whether one does." };
  const count = String(notices.length);
  return {
    claim,
    problem:
      notices.length === 0
        ? null
        : `${count} do. Look at the webhook URL in Squad's dashboard. Squad deletes each by DELETE /virtual-account/webhook/logs/ and its transaction_ref.`,
  };
}
