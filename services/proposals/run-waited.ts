import { and, eq, gt, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { proposals } from "#db/schema/operators.ts";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { alertOperators } from "../alerts/index.ts";
import type { OperatorContext, SystemContext } from "../context.ts";
import { readOperators } from "../operators/index.ts";
import { isDecider } from "../platform.ts";
import { verb } from "../verb.ts";
import { carryOut, decided, lockOperators, requireOpen, store } from "./decide.ts";
import { RUNS_ALONE_AFTER_MS } from "./proposal.ts";

/**
 * Ends proposals that are too old. Where the service has one operator (`OJA_SINGLE_OPERATOR`), also carries out those that were made 24 hours ago and not
 * cancelled since, unless another operator decides. Alerts operators to a proposal that cannot be carried out; it stays open until it is too old.
 * Returns how many proposals ended.
 */
export const endDueProposals = verb({ actor: ["system"] }, async (ctx: SystemContext): Promise<number> => {
  let ended = await each(lte(proposals.expiresAt, sql`now()`), (id) => expire(ctx, id));
  if (settings().OJA_SINGLE_OPERATOR)
    ended += await each(lte(proposals.createdAt, sql`now() - ${RUNS_ALONE_AFTER_MS} * interval '1 ms'`), runAlone);
  return ended;
});

const MOST = 100;

async function each(condition: ReturnType<typeof lte>, end: (id: string) => Promise<void>): Promise<number> {
  let ended = 0;
  // Ids sort by time. Those that cannot be ended stay, and must not keep the others.
  for (let last = ""; ; ) {
    const due = await db()
      .select({ id: proposals.id })
      .from(proposals)
      .where(and(eq(proposals.state, "open"), condition, gt(proposals.id, last)))
      .orderBy(proposals.id)
      .limit(MOST);
    for (const { id } of due) ended += (await endOne(id, end)) ? 1 : 0;
    last = due.at(-1)?.id ?? last;
    if (due.length < MOST) return ended;
  }
}

async function endOne(id: string, end: (id: string) => Promise<void>): Promise<boolean> {
  try {
    await end(id);
    return true;
  } catch (error) {
    if (error instanceof Problem) await tellOfFailure(id, error.message);
    else log().error({ proposalId: id, err: error }, "a proposal could not be ended; it is tried again");
    return false;
  }
}

const tellOfFailure = (id: string, why: string) =>
  alertOperators("live", {
    ...{ type: "proposal.failed", resourceId: id, cause: id },
    message: `${id} could not be carried out: ${why} Cancel it with: npm run oja -- refuse ${id}`,
  });

const expire = (ctx: SystemContext, id: string): Promise<void> =>
  decided(async (tx) => {
    const [row] = await tx.select().from(proposals).where(eq(proposals.id, id)).for("update", { skipLocked: true });
    if (row?.state === "open") await store(tx, ctx, row, { state: "expired", decidedBy: null });
  });

/** The operator who proposed it is its author in the audit. */
const runAlone = (id: string): Promise<void> =>
  decided(async (tx) => {
    const [row] = await tx.select().from(proposals).where(eq(proposals.id, id)).for("update", { skipLocked: true });
    if (row?.state !== "open") return;
    requireOpen(row);
    await lockOperators(tx, [row.proposedBy]);
    const others = (await readOperators(tx)).filter((one) => one.userId !== row.proposedBy && isDecider(one));
    if (others.length > 0) throw invalid("proposal", "OJA_SINGLE_OPERATOR is set, and other operators decide: one of them approves it.");
    const ctx: OperatorContext = { actor: { type: "operator", id: row.proposedBy }, role: "admin", requestId: null, address: null };
    await carryOut(tx, ctx, row);
    await store(tx, ctx, row, { state: "carried_out", decidedBy: null, isAlone: true });
  });
