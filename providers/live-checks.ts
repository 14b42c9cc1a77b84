import type { Reply } from "./bearer-calls.ts";

/**
 * What an operator must have set up at a live provider before merchants use it. Every adapter of a live provider has them. They read, and move no
 * money.
 */
export interface LiveChecks {
  check(): Promise<LiveCheck[]>;
  /** Returns a notice about nothing, signed as the provider signs, with which we try whether its notices reach us. */
  signedNotice(): SignedNotice;
}

export interface LiveCheck {
  /** A sentence that is true where the check is passed. */
  claim: string;
  /** Why it is not true, and which setting to look at. Null where it is true. */
  problem: string | null;
}

export interface SignedNotice {
  headers: Record<string, string>;
  body: string;
}

const MAX_SKEW_MS = 30_000;

/** Compares our clock with that of a provider, which its answers name to the second. */
export function checkClock(provider: string, { date }: Reply): LiveCheck {
  const skewMs = Math.abs(Date.parse(date ?? "") - Date.now());
  const claim = `The clock of this server is that of ${provider}`;
  if (Number.isNaN(skewMs)) return { claim, problem: `${provider} told no time.` };
  const isRight = skewMs <= MAX_SKEW_MS;
  return { claim, problem: isRight ? null : `They differ by ${Math.round(skewMs / 1_000)} s. Let this server keep its time by NTP.` };
}

/** Says what an answer without its expected content means. `secret` names the setting of the key. */
export function whyRefused(provider: string, { status }: Reply, { secret, url }: { secret: string; url: string }): string {
  if (status === 0) return `${provider} did not answer. Look at ${url}, and at what your firewall lets out.`;
  if (status === 401 || status === 403)
    return `${provider} refuses the key (${status}). Copy ${secret} again, and let ${provider} allow the address of this server if it limits callers.`;
  return `${provider} answered ${status} and nothing that can be read. Look at ${url}.`;
}
