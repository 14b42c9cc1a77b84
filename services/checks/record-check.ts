import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { checkRuns } from "#db/schema/checks.ts";
import { newId } from "#lib/ids.ts";
import { describeError } from "#lib/log.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import { type CheckRun, checkRunFromRow, type Found } from "./check-run.ts";

const MAX_SAMPLE = 20;
const MAX_SHOWN = 1_000;
const MAX_FAILURE = 200;

/**
 * Makes a check and stores what it found, so that operators see when the last one was and what it covered. `from`: the causes of postings since then are
 * checked; null for all. Returns the run. Throws what `check` throws, after its failure is stored.
 */
export const recordCheck = verb(
  { actor: ["system"] },
  async (
    _ctx: SystemContext,
    { kind, from }: { kind: CheckRun["kind"]; from: Date | null },
    check: () => Promise<Found>,
  ): Promise<CheckRun> => {
    const id = newId("checkRun");
    await db().insert(checkRuns).values({ id, kind, fromTime: from, toTime: sql`now()` });
    const end = async (found: Partial<typeof checkRuns.$inferInsert>) => {
      const [row] = await db()
        .update(checkRuns)
        .set({ finishedAt: sql`now()`, ...found })
        .where(eq(checkRuns.id, id))
        .returning();
      if (!row) throw new Error(`check ${id} is gone`);
      return checkRunFromRow(row);
    };
    try {
      const { rowsRead, findings } = await check();
      const sample = findings.slice(0, MAX_SAMPLE).map((finding) => ({ ...finding, shown: finding.shown.slice(0, MAX_SHOWN) }));
      return await end({ rowsRead, findings: findings.reduce((sum, { rows }) => sum + rows, 0), sample });
    } catch (error) {
      await end({ failure: failureOf(error) });
      throw error;
    }
  },
);

/** Never the error itself: that of a statement carries its values. */
const failureOf = (error: unknown): string => {
  const described = describeError(error);
  return String(described.message ?? "It failed.").slice(0, MAX_FAILURE);
};
