import { desc, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { proposals } from "#db/schema/operators.ts";
import { notFound } from "#lib/problem.ts";
import type { OperatorContext } from "../context.ts";
import { verb } from "../verb.ts";
import { type Proposal, proposalFromRow } from "./proposal.ts";

const MOST_OPEN = 500;
const MOST_DECIDED = 20;

/** Returns open proposals, the oldest first, at most 500, and the latest decided ones, the newest first. */
export const listProposals = verb(
  { actor: ["operator"], operatorRole: "viewer" },
  async (_ctx: OperatorContext): Promise<{ open: Proposal[]; decided: Proposal[] }> => {
    const isOpen = eq(proposals.state, "open");
    const open = await db().select().from(proposals).where(isOpen).orderBy(proposals.createdAt).limit(MOST_OPEN);
    const latest = await db()
      .select()
      .from(proposals)
      .orderBy(desc(proposals.createdAt), desc(proposals.id))
      .limit(open.length + MOST_DECIDED);
    const decided = latest.filter(({ state }) => state !== "open").slice(0, MOST_DECIDED);
    return { open: open.map(proposalFromRow), decided: decided.map(proposalFromRow) };
  },
);

/** Returns a proposal. Throws RESOURCE_NOT_FOUND. */
export const getProposal = verb(
  { actor: ["operator"], operatorRole: "viewer" },
  async (_ctx: OperatorContext, id: string): Promise<Proposal> => {
    const [row] = await db().select().from(proposals).where(eq(proposals.id, id));
    if (!row) throw notFound("proposal");
    return proposalFromRow(row);
  },
);
