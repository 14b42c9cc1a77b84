import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";
import { users } from "./tenants.ts";

/** True of alerts that tell of something that no other list has. A list that states it may use this partial index. */
export const OPENS_STANDALONE_ALERTS = "type not in ('checkout.transfer_returned', 'wallet.debt', 'webhook_endpoint.failing')";

/** A message to a merchant about something that it did not ask for. */
export const alerts = pgTable(
  "alerts",
  {
    merchantId: id(),
    id: id(),
    type: text().notNull(),
    message: text().notNull(),
    /** The id of the resource that the alert is about. */
    resourceId: text().notNull(),
    /** The cause, for which the alert is raised only once. Null: the transaction that raises it happens only once. */
    cause: text(),
    /** When the worker stored which members get a mail about it. Null: not done yet. Operators' alerts are not mailed. */
    notedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "alerts_pkey", columns: [t.merchantId, t.id] }),
    uniqueIndex("alerts_once").on(t.merchantId, t.type, t.cause).where(sql`${t.cause} is not null`),
    index("alerts_standalone").on(t.merchantId, t.id).where(sql.raw(OPENS_STANDALONE_ALERTS)),
    index("alerts_to_note").on(t.id).where(sql`${t.notedAt} is null`),
  ],
);

/** The newest alert of a merchant that a member has seen. Without a row the member has seen none. */
export const seenAlerts = pgTable("seen_alerts", { merchantId: id(), userId: id(), upTo: text().notNull() }, (t) => [
  primaryKey({ name: "seen_alerts_pkey", columns: [t.merchantId, t.userId] }),
  foreignKey({ name: "seen_alerts_user_fkey", columns: [t.userId], foreignColumns: [users.id] }).onDelete("cascade"),
]);

/** The available balance, in kobo, below which a merchant is alerted. */
export const balanceLimits = pgTable(
  "balance_limits",
  {
    merchantId: id(),
    kobo: bigint({ mode: "bigint" }).notNull(),
    /** Since when the balance is known to be below the limit. Null: it was not below at the last check. */
    belowSince: moment(),
    alertedAt: moment(),
  },
  (t) => [primaryKey({ name: "balance_limits_pkey", columns: [t.merchantId] }), check("balance_limits_positive", sql`${t.kobo} > 0`)],
);
