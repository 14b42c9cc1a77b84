import type { Command } from "commander";
import { isKeptByNpm } from "#lib/env.ts";
import { closeSession, openSession } from "../server/session.ts";
import { createProgram, describeFailure } from "./program.ts";

/** npm always sets these variables itself, so they do not show that npm took an option of ours. */
const NPMS_OWN = ["name", "email", "help"];

/** Ends the process if npm took an option of ours for its own. npm does so silently when the -- before the command is missing. */
function refuseSwallowedOptions({ commands }: Command): void {
  const options = commands.flatMap((command) => [command, ...command.commands]).flatMap((command) => command.options);
  const names = new Set(options.flatMap(({ long }) => (long ? [long.slice(2)] : [])));
  const swallowed = [...names].filter((name) => !NPMS_OWN.includes(name) && isKeptByNpm(name));
  if (swallowed.length === 0) return;
  console.error(`npm took ${swallowed.map((name) => `--${name}`).join(", ")} for itself. Put -- before the command: npm run oja -- …`);
  process.exit(1);
}

const program = createProgram();
refuseSwallowedOptions(program);
program.hook("preAction", openSession);
try {
  await program.parseAsync();
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = 1;
} finally {
  await closeSession();
}
