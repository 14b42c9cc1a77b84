import { lookup } from "node:dns/promises";
import { settings } from "#lib/env.ts";
import { randomBase32 } from "#lib/ids.ts";
import { naira } from "#lib/money.ts";
import { isPublic } from "#lib/public-address.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { Bank } from "#providers/bank.ts";
import type { LiveCheck, SignedNotice } from "#providers/live-checks.ts";
import { payerOf } from "#providers/payer.ts";
import type { OperatorContext } from "../context.ts";
import { hasRoundTrip, payoutBanks, storeCheck } from "../providers/index.ts";
import { verb } from "../verb.ts";
import { liveBankNamed } from "./live-bank.ts";

/**
 * Checks a live bank: its keys, what must be set up at it, an opening of a real account of ₦100 that nobody pays, the way of its notices to us, and
 * whether ₦100 have come that way. Stores whether all of it is well, for `unlockLive`. Throws VALIDATION_ERROR for a name that no live bank has, and for
 * one whose settings are empty.
 */
export const checkLive = verb({ actor: ["operator"] }, async (_ctx: OperatorContext, name: string): Promise<LiveCheck[]> => {
  const { bank, live } = liveBankNamed(name);
  const checks = [
    ...(await live.check()),
    await checkOpening(bank),
    await checkAddress(),
    await checkNotices(name, live.signedNotice()),
    await checkPayouts(name),
    await checkRoundTrip(name),
  ];
  await storeCheck(name, checks.every(isPassed));
  return checks;
});

export const isPassed = ({ problem }: LiveCheck): boolean => problem === null;

async function checkOpening(bank: Bank): Promise<LiveCheck> {
  const claim = "It opens an account of ₦100";
  const reference = `CHECK${randomBase32(24)}`;
  const payer = payerOf(reference, new URL(settings().BASE_URL).hostname);
  const validForMs = Math.max(30 * MINUTE_MS, bank.capabilities.validForMs.min);
  const outcome = await bank.openAccount({ reference, amount: naira(100), accountName: "Oja", validForMs, payer });
  if (outcome.status !== "opened")
    return { claim, problem: `The opening was ${outcome.status}. The log says why; docs/providers/${bank.name}.md says what to set up.` };
  const reading = await bank.readAccount({ reference, amount: naira(100) });
  // Not every bank has something to read of an account before its first transfer.
  const isClear = reading.status === "read" || reading.status === "not_found";
  return { claim, problem: isClear ? null : "It opened one, and did not say what has come to it. Check again in a minute." };
}

/** Whether payers can reach it, only a payer knows: a private name, or one of this machine, they surely cannot. */
async function checkAddress(): Promise<LiveCheck> {
  const { protocol, hostname, origin } = new URL(settings().BASE_URL);
  const claim = "BASE_URL is a public https address";
  if (protocol !== "https:") return { claim, problem: `It is ${origin}. Set the public https address.` };
  const found = await lookup(hostname, { all: true }).catch(() => []);
  const arePublic = found.length > 0 && found.every(({ address }) => isPublic(address));
  return {
    claim,
    problem: arePublic ? null : `${hostname} has no public address here. Set the name that payers use, and look at DNS and /etc/hosts.`,
  };
}

const TIMEOUT_MS = 8 * SECOND_MS;

/** Sends ourselves a notice about nothing, and one with a changed byte, by the way that the bank's notices take. */
async function checkNotices(name: string, { headers, body }: SignedNotice): Promise<LiveCheck> {
  const url = `${settings().BASE_URL}/api/providers/${name}/notices`;
  const claim = `Notices reach ${url}, and forged ones are refused`;
  const [taken, forged] = await Promise.all([
    postTo(url, headers, body),
    postTo(url, headers, body.replace("oja", "Oja").replace("OJA", "OjA")),
  ]);
  if (taken === undefined || forged === undefined)
    return { claim, problem: "Nothing answers there. Start Oja, and look at BASE_URL, DNS, certificate and proxy." };
  if (taken >= 300 && taken < 400)
    return { claim, problem: `It was answered ${taken}, a redirect, which banks do not follow. Set BASE_URL to where it leads.` };
  if (taken !== 200)
    return { claim, problem: `A notice that is signed with our key was answered ${taken}. Does the web process have the same settings?` };
  return { claim, problem: forged === 401 ? null : `A forged notice was answered ${forged}.` };
}

/** Returns the status of the answer, or undefined if none came. */
const postTo = (url: string, headers: Record<string, string>, body: string): Promise<number | undefined> =>
  fetch(url, { method: "POST", headers, body, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Payouts may stay out: the bank then takes money, and merchants cannot send it on. */
async function checkPayouts(name: string): Promise<LiveCheck> {
  const payoutBank = payoutBanks.named(name);
  if (!payoutBank) return { claim: "It is not set up for payouts, which are not offered", problem: null };
  const claim = "It lists the banks that it pays out to";
  const listed = await payoutBank.listBanks();
  return { claim, problem: listed.status === "found" ? null : "It does not, so no bank account can be added." };
}

async function checkRoundTrip(name: string): Promise<LiveCheck> {
  const claim = "₦100 came by it within the last 30 days, with the settings of now";
  return { claim, problem: (await hasRoundTrip(name)) ? null : `That was not tried: npm run oja -- round-trip ${name}` };
}
