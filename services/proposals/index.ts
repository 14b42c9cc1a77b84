export { approve, refuse } from "./decide.ts";
export { getProposal, listProposals } from "./list-proposals.ts";
export { type Proposal, RUNS_ALONE_AFTER_MS } from "./proposal.ts";
export { propose } from "./propose.ts";
export { endDueProposals } from "./run-waited.ts";
