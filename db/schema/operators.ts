import { sql } from "drizzle-orm";
import { boolean, check, foreignKey, index, jsonb, pgEnum, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";
import { merchants, users } from "./tenants.ts";

export const proposalState = pgEnum("proposal_state", ["open", "carried_out", "refused", "cancelled", "expired"]);

/** Acts that one operator proposes and another one decides. A trigger keeps each row as it was made, and as it was decided. */
export const proposals = pgTable(
  "proposals",
  {
    id: id(),
    /** What is to be done (services/proposals/kinds.ts). */
    kind: text().notNull(),
    /** The merchant that it is about; for acts about operators the platform's own. */
    merchantId: id(),
    /** The id of the thing that it changes. */
    subject: text().notNull(),
    /** Checked by the schema of its kind. */
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    /** The tokens or PINs of a delivery (lib/sealed). Null: there are none. Forgotten once the proposal is decided. */
    sealedSecrets: text(),
    reason: text().notNull(),
    proposedBy: id(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
    state: proposalState().notNull().default("open"),
    /** Null also where it was carried out after its wait, because the service has one operator. */
    decidedBy: text(),
    decidedAt: moment(),
    /** Why it was refused or cancelled. */
    decisionReason: text(),
    /** It was carried out after its wait, without a second person. */
    isAlone: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ name: "proposals_pkey", columns: [t.id] }),
    foreignKey({ name: "proposals_merchant_fkey", columns: [t.merchantId], foreignColumns: [merchants.id] }),
    foreignKey({ name: "proposals_proposed_by_fkey", columns: [t.proposedBy], foreignColumns: [users.id] }),
    foreignKey({ name: "proposals_decided_by_fkey", columns: [t.decidedBy], foreignColumns: [users.id] }),
    uniqueIndex("proposals_one_open").on(t.kind, t.subject).where(sql`${t.state} = 'open'`),
    index("proposals_open").on(t.createdAt).where(sql`${t.state} = 'open'`),
    index("proposals_latest").on(t.createdAt, t.id),
    check("proposals_decided", sql`(${t.state} = 'open') = (${t.decidedAt} is null)`),
    check(
      "proposals_two_people",
      sql`${t.state} <> 'carried_out' or (
        case when ${t.isAlone} then ${t.decidedBy} is null and ${t.decidedAt} >= ${t.createdAt} + interval '24 h'
        else ${t.decidedBy} is not null and ${t.decidedBy} <> ${t.proposedBy} end)`,
    ),
    check("proposals_open_undecided", sql`${t.state} <> 'open' or ${t.decidedBy} is null`),
    check("proposals_alone_only_carried_out", sql`not ${t.isAlone} or ${t.state} = 'carried_out'`),
    check("proposals_secrets_forgotten", sql`${t.state} = 'open' or ${t.sealedSecrets} is null`),
  ],
);
