import type { Command } from "commander";
import { lagosDateTime } from "#lib/time.ts";
import { listChecks } from "#services/checks/index.ts";
import { operator } from "./context.ts";

export function addCheckCommands(program: Command): void {
  program
    .command("checks")
    .description("Lists the latest nightly checks of the books and the cards: what they covered, and what they found.")
    .action(showChecks);
}

const STATES = { sound: "sound", failed: "FAILED", unfinished: "not finished" };

async function showChecks(): Promise<void> {
  const checks = await listChecks(operator);
  if (checks.length === 0) return console.log("No check was made yet. The worker makes them each night.");
  console.table(
    checks.map(({ kind, fromTime, startedAt, rowsRead, findings, state, failure }) => ({
      ...{ checked: kind, "causes from": fromTime === null ? "the first" : lagosDateTime(fromTime), at: lagosDateTime(startedAt) },
      ...{ "rows read": rowsRead ?? "", result: state === "findings" ? `${findings} findings` : STATES[state], why: failure ?? "" },
    })),
  );
  for (const { id, sample } of checks) for (const { what, rows, shown } of sample) console.log(`${id}  ${what}, ${rows} rows: ${shown}`);
}
