import type { Command } from "commander";
import { lagosDateTime } from "#lib/time.ts";
import { listOperators } from "#services/operators/index.ts";
import { approve, getProposal, listProposals, type Proposal, refuse } from "#services/proposals/index.ts";
import { operator } from "./context.ts";
import { asNamed, type Named, withName } from "./named.ts";
import { REASON } from "./options.ts";

export function addProposalCommands(program: Command): void {
  program
    .command("proposals")
    .description("Lists acts that wait for a second operator, and those that were decided lately.")
    .action(showProposals);
  program.command("proposal <proposal>").description("Shows a proposal, its reason, and what became of it.").action(showProposal);
  withName(program.command("approve <proposals...>"))
    .description("Carries out acts that another operator has proposed, after their conditions are looked at again.")
    .action(approveAll);
  withName(program.command("refuse <proposal>"))
    .description("Refuses a proposal of another operator, or cancels your own. Nothing is done.")
    .requiredOption(...REASON)
    .action(refuseOne);
}

async function namesOfOperators(): Promise<(userId: string | null) => string> {
  const operators = await listOperators(operator);
  return (userId) => operators.find((one) => one.userId === userId)?.email ?? userId ?? "";
}

async function showProposals(): Promise<void> {
  const { open, decided } = await listProposals(operator);
  const nameOf = await namesOfOperators();
  const shown = ({ id, text, state, proposedBy, createdAt, expiresAt, decidedBy }: Proposal) => ({
    ...{ proposal: id, what: text, by: nameOf(proposedBy), since: createdAt.toISOString() },
    ...(state === "open" ? { until: expiresAt.toISOString() } : { state, "decided by": nameOf(decidedBy) }),
  });
  if (open.length === 0) console.log("No proposal waits.");
  else console.table(open.map(shown));
  if (decided.length === 0) return;
  console.log("Decided lately:");
  console.table(decided.map(shown));
}

const STATES: Record<Proposal["state"], string> = {
  ...{ open: "waits", carried_out: "is carried out", refused: "was refused", cancelled: "was cancelled", expired: "has expired" },
};

async function showProposal(id: string): Promise<void> {
  const proposal = await getProposal(operator, id);
  const nameOf = await namesOfOperators();
  const { text, reason, proposedBy, createdAt, expiresAt, state, decidedBy, decidedAt, decisionReason, isAlone } = proposal;
  const at = (moment: Date) => `${lagosDateTime(moment)} (Lagos)`;
  console.log(`${text}\nMerchant  ${proposal.merchantId}\nReason    ${reason}\nBy        ${nameOf(proposedBy)}, ${at(createdAt)}`);
  const by = isAlone ? " after its wait, without a second operator" : decidedBy === null ? "" : ` by ${nameOf(decidedBy)}`;
  const why = decisionReason === null ? "" : `: ${decisionReason}`;
  console.log(`It ${STATES[state]}${decidedAt === null ? ` until ${at(expiresAt)}` : `${by}, ${at(decidedAt)}${why}`}.`);
}

async function approveAll(ids: string[], named: Named): Promise<void> {
  const ctx = await asNamed(named);
  for (const id of ids) {
    const { text } = await approve(ctx, id);
    console.log(`${id} is carried out: ${text}`);
  }
}

async function refuseOne(id: string, { reason, ...named }: Named & { reason: string }): Promise<void> {
  const { state } = await refuse(await asNamed(named), id, reason);
  console.log(`${id} ${STATES[state]}. Nothing was done.`);
}
