import { type Call, NO_ANSWER } from "../bearer-calls.ts";
import { signatureOf } from "../body-signature.ts";
import { checkClock, type LiveCheck, type LiveChecks, whyRefused } from "../live-checks.ts";
import { NotSent } from "../not-sent.ts";
import { isNotFound, refusalOf, WalletBalance } from "./replies.ts";

const SETTINGS = { secret: "OJA_MONNIFY_API_KEY and OJA_MONNIFY_SECRET_KEY", url: "OJA_MONNIFY_BASE_URL" };

/** Returns what must be set up at Monnify. Whether its contract is right, the opening of an account shows. */
export const monnifyLiveChecks = (call: Call, secretKey: string, sourceAccount: string | undefined): LiveChecks => ({
  async check() {
    let problem: string | null = null;
    const reply = await call("GET", "/api/v2/merchant/transactions/query?paymentReference=oja-check-live").catch((error) => {
      if (error instanceof NotSent) problem = `No login succeeded. Copy ${SETTINGS.secret} again, and look at ${SETTINGS.url}.`;
      return NO_ANSWER;
    });
    if (problem === null && reply.status !== 200 && !isNotFound(reply)) problem = whyRefused("Monnify", reply, SETTINGS);
    if (problem !== null) return [{ claim: "Monnify takes the keys", problem }];
    return [
      { claim: "Monnify takes the keys", problem },
      ...(sourceAccount === undefined ? [] : [await checkWallet(call, sourceAccount)]),
      checkClock("Monnify", reply),
    ];
  },

  signedNotice() {
    const body = JSON.stringify({ eventType: "OJA_SELF_TEST", eventData: {} });
    const signature = signatureOf(secretKey, body);
    return { body, headers: { "content-type": "application/json", "monnify-signature": signature } };
  },
});

async function checkWallet(call: Call, sourceAccount: string): Promise<LiveCheck> {
  const reply = await call("GET", `/api/v2/disbursements/wallet-balance?accountNumber=${sourceAccount}`).catch(() => NO_ANSWER);
  const isOurs = reply.status === 200 && WalletBalance.safeParse(reply.body).success;
  const claim = "Monnify knows the wallet that pays out";
  if (isOurs) return { claim, problem: null };
  const isUnknown = refusalOf(reply) !== undefined && reply.status !== 401 && reply.status !== 403;
  return { claim, problem: isUnknown ? "It does not. Copy OJA_MONNIFY_SOURCE_ACCOUNT again." : whyRefused("Monnify", reply, SETTINGS) };
}
