import type { Command } from "commander";
import { bindProvider, setFallbackBanks } from "#services/merchants/index.ts";
import { type ProviderKind, registries } from "#services/providers/index.ts";
import { merchantNamed, operator } from "./context.ts";

const EFFECTS: Record<ProviderKind, (merchant: string, provider: string) => string> = {
  bank: (merchant, provider) => `New payment links of ${merchant} get their accounts from ${provider}.`,
  issuer: (merchant, provider) => `New cardholders of ${merchant} are known to ${provider}, and their cards are made there.`,
  aggregator: (merchant, provider) => `New purchases of ${merchant} go to ${provider}; its products have other ids.`,
};

export function addProviderCommands(program: Command): void {
  program
    .command("set-fallback-banks <merchant> [banks...]")
    .description("Chooses which banks open accounts while the merchant's own is down, the first one first; none ends that.")
    .action(async (name: string, names: string[]) => {
      const { merchant } = await merchantNamed(name);
      await setFallbackBanks(operator, merchant.id, names);
      const then = names.length === 0 ? "no link is made" : `new links get their accounts from ${names.join(", then ")}`;
      console.log(`While the bank of ${merchant.id} is down, ${then}.`);
    });
  for (const kind of ["bank", "issuer", "aggregator"] as const) {
    program
      .command(`set-${kind} <merchant> <${kind}>`)
      .description(`Chooses the ${kind} of what a merchant makes from now on; in test mode ${registries[kind].names("test").join(" or ")}.`)
      .action(async (name: string, provider: string) => {
        const { merchant } = await merchantNamed(name);
        await bindProvider(operator, merchant.id, kind, provider);
        console.log(EFFECTS[kind](merchant.id, provider));
      });
  }
}
