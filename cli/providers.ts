import type { Command } from "commander";
import { bindProvider } from "#services/merchants/index.ts";
import { type ProviderKind, registries } from "#services/providers/index.ts";
import { merchantNamed, operator } from "./context.ts";

const EFFECTS: Record<ProviderKind, (merchant: string, provider: string) => string> = {
  bank: (merchant, provider) => `New payment links of ${merchant} get their accounts from ${provider}.`,
  issuer: (merchant, provider) => `New cardholders of ${merchant} are known to ${provider}, and their cards are made there.`,
  aggregator: (merchant, provider) => `New purchases of ${merchant} go to ${provider}; its products have other ids.`,
};

export function addProviderCommands(program: Command): void {
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
