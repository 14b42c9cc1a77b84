import type { Command } from "commander";
import { resetTwoFactor } from "#services/users/index.ts";
import { Misuse, operator } from "./context.ts";
import { REASON } from "./options.ts";

export function addMemberCommands(program: Command): void {
  const members = program.command("members").description("Helps people who cannot sign in.");
  members
    .command("reset-two-factor")
    .description(
      "Asks to remove the authenticator app, recovery codes and passkeys of a person who has lost them. A link that does it is mailed 24 hours later.",
    )
    .requiredOption("--email <email>", "with which the person signs in")
    .requiredOption(...REASON)
    .action(reset);
}

async function reset({ email, reason }: { email: string; reason: string }): Promise<void> {
  const outcome = await resetTwoFactor(operator, { email, reason });
  if (outcome === "unknown") throw new Misuse(`There is no account with the email ${email}.`);
  console.log(
    outcome === "asked"
      ? `${email} is told now, and gets the link that removes the second factor in 24 hours. A sign-in with the second factor ends the request.`
      : `${email} has no second factor. Nothing changed.`,
  );
}
