import { desc } from "drizzle-orm";
import { db } from "#db/client.ts";
import { checkRuns } from "#db/schema/checks.ts";
import type { OperatorContext } from "../context.ts";
import { verb } from "../verb.ts";
import { type CheckRun, checkRunFromRow } from "./check-run.ts";

const MAX_LISTED = 30;

/** Returns the latest checks of the books and the cards, the newest first, at most 30. */
export const listChecks = verb({ actor: ["operator"], operatorRole: "viewer" }, async (_ctx: OperatorContext): Promise<CheckRun[]> => {
  const rows = await db().select().from(checkRuns).orderBy(desc(checkRuns.startedAt), desc(checkRuns.id)).limit(MAX_LISTED);
  return rows.map(checkRunFromRow);
});
