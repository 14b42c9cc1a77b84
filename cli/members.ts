import type { Command } from "commander";
import { resetTwoFactor } from "#services/users/index.ts";
import { Misuse, operator } from "./context.ts";
import { REASON } from "./options.ts";

export function addMemberCommands(program: Command): void {
  const members = program.command("members").description("Helps people who cannot sign in.");
  members
    .command("reset-two-factor")
    .description("Removes the authenticator app, recovery codes and passkeys of a person who has lost them, and ends all sessions.")
    .requiredOption("--email <email>", "with which the person signs in")
    .requiredOption(...REASON)
    .action(reset);
}

async function reset({ email, reason }: { email: string; reason: string }): Promise<void> {
  const outcome = await resetTwoFactor(operator, { email, reason });
  if (outcome === "unknown") throw new Misuse(`Nobody signs in with ${email}.`);
  console.log(
    outcome === "reset"
      ? `${email} signs in with the password alone now. Every session has ended, and a mail tells the owner.`
      : `${email} has no second factor. Nothing changed.`,
  );
}
