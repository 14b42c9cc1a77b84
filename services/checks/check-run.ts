import type { CheckFinding, checkRuns } from "#db/schema/checks.ts";

type CheckRunRow = typeof checkRuns.$inferSelect;

/** A full pass over the books or the cards. */
export interface CheckRun
  extends Pick<CheckRunRow, "id" | "kind" | "fromTime" | "toTime" | "startedAt" | "finishedAt" | "rowsRead" | "sample"> {
  /** `unfinished`: it runs, or its process died. */
  state: "sound" | "findings" | "failed" | "unfinished";
  findings: number;
  failure: string | null;
}

export function checkRunFromRow({ findings, failure, finishedAt, ...row }: CheckRunRow): CheckRun {
  const ended = failure !== null ? "failed" : findings === 0 ? "sound" : "findings";
  return { ...row, finishedAt, failure, findings: findings ?? 0, state: finishedAt === null ? "unfinished" : ended };
}

/** What a check has found. */
export interface Found {
  rowsRead: number;
  findings: CheckFinding[];
}
