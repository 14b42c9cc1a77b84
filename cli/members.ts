import type { Command } from "commander";
import { resetTwoFactor } from "#services/users/index.ts";
import { Misuse, operator } from "./context.ts";
import { type Named, proposeAs } from "./named.ts";
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
    .option("--as <email>", "the operator that you are: proposes it, for a person who is an operator too")
    .option("--code <code>", "that your authenticator app shows")
    .action(reset);
}

interface Reset extends Partial<Named> {
  email: string;
  reason: string;
}

async function reset({ email, reason, as, code }: Reset): Promise<void> {
  if (as !== undefined) {
    if (code === undefined) throw new Misuse("A proposal needs --code too.");
    return proposeAs({ as, code }, { kind: "operator.reset_two_factor", payload: { email }, reason });
  }
  const outcome = await resetTwoFactor(operator, { email, reason });
  if (outcome === "unknown") throw new Misuse(`There is no account with the email ${email}.`);
  console.log(
    outcome === "asked"
      ? `${email} is told now, and gets the link that removes the second factor in 24 hours. A sign-in with the second factor ends the request.`
      : `${email} has no second factor. Nothing changed.`,
  );
}
