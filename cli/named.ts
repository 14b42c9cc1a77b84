import type { Command } from "commander";
import { settings } from "#lib/env.ts";
import { lagosDateTime } from "#lib/time.ts";
import type { OperatorContext } from "#services/context.ts";
import { identifyOperator } from "#services/operators/index.ts";
import { propose, RUNS_ALONE_AFTER_MS } from "#services/proposals/index.ts";
import { operator } from "./context.ts";

/** By these an operator says who they are. */
export interface Named {
  as: string;
  code: string;
}

const AS = ["--as <email>", "the operator that you are"] as const;
const CODE = ["--code <code>", "that your authenticator app shows, or a recovery code; it is used up"] as const;

/** Adds the options of a command that needs to know which operator runs it. */
export const withName = (command: Command): Command => command.requiredOption(...AS).requiredOption(...CODE);

/** Returns the context of the operator that the options name. Throws a `Problem` where they do not prove it. */
export const asNamed = ({ as: email, code }: Named): Promise<OperatorContext> => identifyOperator(operator, { email, code });

/** Proposes an act, and prints who decides it, and how. */
export async function proposeAs(named: Named, proposal: Parameters<typeof propose>[1]): Promise<void> {
  const { id, text, createdAt } = await propose(await asNamed(named), proposal);
  const alone = `It is carried out at ${lagosDateTime(new Date(createdAt.getTime() + RUNS_ALONE_AFTER_MS))} (Lagos), unless you cancel it: npm run oja -- refuse ${id}`;
  const byTwo = `Another operator decides it: npm run oja -- approve ${id} --as EMAIL --code CODE`;
  console.log(`Proposed as ${id}: ${text}\nNothing is done yet. ${settings().OJA_SINGLE_OPERATOR ? alone : byTwo}`);
}
