import { type Call, NO_ANSWER } from "../bearer-calls.ts";
import { signatureOf } from "../body-signature.ts";
import { checkClock, type LiveChecks, whyRefused } from "../live-checks.ts";
import { Banks } from "./payout-replies.ts";
import { Balances } from "./replies.ts";

const SETTINGS = { secret: "OJA_PAYSTACK_SECRET_KEY", url: "OJA_PAYSTACK_BASE_URL" };

/** Returns what must be set up at Paystack. */
export const paystackLiveChecks = (call: Call, secretKey: string): LiveChecks => ({
  async check() {
    const reply = await call("GET", "/balance").catch(() => NO_ANSWER);
    const balances = Balances.safeParse(reply.body).data?.data;
    const isAccepted = reply.status === 200 && balances !== undefined;
    if (!isAccepted) return [{ claim: "Paystack takes the key", problem: whyRefused("Paystack", reply, SETTINGS) }];
    const banks = await call("GET", "/bank?country=nigeria&perPage=1").catch(() => NO_ANSWER);
    const listsBanks = banks.status === 200 && Banks.safeParse(banks.body).success;
    const hasNaira = balances.some(({ currency }) => currency === "NGN");
    return [
      { claim: "Paystack takes the key", problem: null },
      {
        claim: "The business has a balance in Naira",
        problem: hasNaira ? null : "Paystack names none. Is the business registered in Nigeria?",
      },
      { claim: "Paystack lists the banks that it pays to", problem: listsBanks ? null : whyRefused("Paystack", banks, SETTINGS) },
      checkClock("Paystack", reply),
    ];
  },

  signedNotice() {
    const body = JSON.stringify({ event: "oja.self_test", data: {} });
    const signature = signatureOf(secretKey, body);
    return { body, headers: { "content-type": "application/json", "x-paystack-signature": signature } };
  },
});
