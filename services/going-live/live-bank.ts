import { invalid } from "#lib/problem.ts";
import type { Bank } from "#providers/bank.ts";
import type { LiveChecks } from "#providers/live-checks.ts";
import { banks } from "../providers/index.ts";

/** Returns the names of live banks whose settings are not empty. */
export const listConfiguredBanks = (): string[] => banks.names("live").filter((name) => banks.named(name) !== undefined);

/** Returns a live bank and its checks. Throws VALIDATION_ERROR for a name that no live bank has, and for one whose settings are empty. */
export function liveBankNamed(name: string): { bank: Bank; live: LiveChecks } {
  const known = banks.names("live");
  if (!known.includes(name)) throw invalid("bank", `No bank of live mode has this name. Choose from ${known.join(", ")}.`);
  const bank = banks.named(name);
  if (!bank?.live) throw invalid("bank", `The settings of ${name} are empty. See .env.example and docs/providers/${name}.md.`);
  return { bank, live: bank.live };
}
