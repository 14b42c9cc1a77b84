import { Command } from "commander";
import { describeError } from "#lib/log.ts";
import { Problem } from "#lib/problem.ts";
import { EmailTaken } from "#services/merchants/index.ts";
import { addBrandCommands } from "./brand.ts";
import { addCardCommands } from "./cards.ts";
import { addCheckCommands } from "./checks.ts";
import { Misuse } from "./context.ts";
import { addFigureCommands } from "./figures.ts";
import { addGoingLiveCommands } from "./going-live.ts";
import { addMemberCommands } from "./members.ts";
import { addMerchantCommands } from "./merchants.ts";
import { addOperatorCommands } from "./operators.ts";
import { addPayoutCommands } from "./payouts.ts";
import { addProposalCommands } from "./proposals.ts";
import { addProviderCommands } from "./providers.ts";
import { addRefundCommands } from "./refunds.ts";
import { addStatementCommands } from "./statements.ts";
import { addSuspenseCommands } from "./suspense.ts";
import { addTopUpCommands } from "./top-ups.ts";

/** Returns all commands of `npm run oja`. They use the database of the process that runs them. */
export function createProgram(): Command {
  const program = new Command("npm run oja --").description("The -- hands what follows to the command.").showHelpAfterError();
  for (const add of [
    ...[addOperatorCommands, addProposalCommands, addCheckCommands],
    ...[addMerchantCommands, addMemberCommands, addProviderCommands, addGoingLiveCommands, addCardCommands],
    ...[
      addTopUpCommands,
      addPayoutCommands,
      addRefundCommands,
      addSuspenseCommands,
      addStatementCommands,
      addBrandCommands,
      addFigureCommands,
    ],
  ])
    add(program);
  return program;
}

/** The caller can correct these errors, and their messages say how. */
const isCorrectable = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.name === "BadSettings" || error instanceof Misuse || error instanceof EmailTaken || error instanceof Problem);

/** Returns what to print for a failed command. Never the error itself, because a database error carries the values of its statement. */
export const describeFailure = (error: unknown): string | Record<string, unknown> =>
  isCorrectable(error) ? error.message : describeError(error);
