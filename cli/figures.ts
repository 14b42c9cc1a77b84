import type { Command } from "commander";
import { rebuildFigures } from "#services/figures/index.ts";
import { merchantNamed, operator } from "./context.ts";

export function addFigureCommands(program: Command): void {
  const figures = program.command("figures").description("Counts the daily figures of the dashboard.");
  figures
    .command("rebuild <merchant>")
    .description("Deletes a merchant's daily figures and counts them again from the ledger and the events.")
    .action(rebuild);
}

async function rebuild(name: string): Promise<void> {
  const { merchant } = await merchantNamed(name);
  await rebuildFigures(operator, merchant.id);
  console.log(`The figures of ${merchant.id} are counted again.`);
}
