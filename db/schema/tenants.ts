import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, integer, pgEnum, pgTable, primaryKey, text, unique, uniqueIndex } from "drizzle-orm/pg-core";
import { createdAt, id, madeBy, moment } from "./columns.ts";

export const mode = pgEnum("mode", ["test", "live"]);
export const merchantStatus = pgEnum("merchant_status", ["active", "suspended"]);
export const area = pgEnum("area", ["checkout", "cards", "vtu"]);
export const providerKind = pgEnum("provider_kind", ["bank", "issuer", "aggregator"]);
export const memberRole = pgEnum("member_role", ["owner", "admin", "developer", "support", "viewer"]);

/** Logos as payers get them. The name is a hash, so two businesses with the same picture share a row. */
export const logos = pgTable("logos", { name: text().notNull(), webpBase64: text().notNull(), createdAt: createdAt() }, (t) => [
  primaryKey({ name: "logos_pkey", columns: [t.name] }),
  check("logos_name_is_a_hash", sql`${t.name} ~ '^[0-9a-f]{32}$'`),
  check("logos_small", sql`length(${t.webpBase64}) <= 8192`),
]);

/** A business has members who sign in, and a brand that payers see. */
export const businesses = pgTable(
  "businesses",
  {
    id: id(),
    name: text().notNull(),
    /** A new name that waits for an operator's decision, because payers see the name at their bank. Null: none is requested. */
    requestedName: text(),
    nameRequestedAt: moment(),
    supportEmail: text(),
    supportPhone: text(),
    brandColour: text().notNull().default("#0f766e"),
    /** The name of a row of `logos`. */
    logo: text(),
    /** Counts the changes of the brand: a change names the version that it was made from. */
    brandVersion: integer().notNull().default(1),
    /** Since when members need a second factor. Null: they choose. */
    twoFactorRequiredAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "businesses_pkey", columns: [t.id] }),
    foreignKey({ name: "businesses_logo_fkey", columns: [t.logo], foreignColumns: [logos.name] }),
    check("businesses_name_requested_at", sql`(${t.requestedName} is null) = (${t.nameRequestedAt} is null)`),
    index("businesses_waiting_for_a_name").on(t.nameRequestedAt).where(sql`${t.requestedName} is not null`),
    check("businesses_brand_colour_hex", sql`${t.brandColour} ~ '^#[0-9a-f]{6}$'`),
  ],
);

/** One mode of a business: it owns wallet, keys, areas, links and events. Its id is the `merchant_id` of every tenant table. */
export const merchants = pgTable(
  "merchants",
  {
    id: id(),
    /** Names the merchant in references, hidden (lib/references). At most 40 bits. */
    number: bigint({ mode: "number" }).notNull().generatedAlwaysAsIdentity({ name: "merchant_numbers" }),
    businessId: id(),
    mode: mode().notNull(),
    status: merchantStatus().notNull().default("active"),
    requestsPerSecond: integer().notNull().default(100),
    requestBurst: integer().notNull().default(200),
    /** Since when live mode is open: an operator has unlocked it. Null: locked, and none of its areas can be switched on. */
    liveUnlockedAt: moment(),
    /** Origins whose pages may frame the payer's page. */
    embedOrigins: text().array().notNull().default([]),
    /** Since when the first steps are hidden for all members. Null: they are shown until they are done. */
    stepsPutAwayAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "merchants_pkey", columns: [t.id] }),
    unique("merchants_number").on(t.number),
    check("merchants_number_40_bits", sql`${t.number} between 1 and 1099511627775`),
    unique("merchants_one_per_mode").on(t.businessId, t.mode),
    unique("merchants_id_mode").on(t.id, t.mode),
    foreignKey({ name: "merchants_business_fkey", columns: [t.businessId], foreignColumns: [businesses.id] }),
    check("merchants_only_live_is_unlocked", sql`${t.liveUnlockedAt} is null or ${t.mode} = 'live'`),
    check("merchants_rate_positive", sql`${t.requestsPerSecond} > 0 and ${t.requestBurst} >= ${t.requestsPerSecond}`),
  ],
);

export const merchantAreas = pgTable("merchant_areas", { merchantId: id(), area: area().notNull(), enabledAt: createdAt() }, (t) => [
  primaryKey({ name: "merchant_areas_pkey", columns: [t.merchantId, t.area] }),
]);

/** Requests of members for areas that are off. Switching the area on closes the request. */
export const areaRequests = pgTable(
  "area_requests",
  { merchantId: id(), id: id(), area: area().notNull(), madeBy: madeBy(), createdAt: createdAt(), closedAt: moment() },
  (t) => [
    primaryKey({ name: "area_requests_pkey", columns: [t.merchantId, t.id] }),
    uniqueIndex("area_requests_one_open").on(t.merchantId, t.area).where(sql`${t.closedAt} is null`),
  ],
);

/** The providers that a merchant uses. The mode is repeated so that a CHECK can refuse the sandbox in live mode. */
export const merchantProviders = pgTable(
  "merchant_providers",
  { merchantId: id(), kind: providerKind().notNull(), mode: mode().notNull(), provider: text().notNull() },
  (t) => [
    primaryKey({ name: "merchant_providers_pkey", columns: [t.merchantId, t.kind] }),
    foreignKey({ name: "merchant_providers_mode_fkey", columns: [t.merchantId, t.mode], foreignColumns: [merchants.id, merchants.mode] }),
    check("merchant_providers_no_sandbox_in_live", sql`not (${t.mode} = 'live' and ${t.provider} like 'sandbox%')`),
  ],
);

/** The banks that open the accounts of a merchant's links where the bank that it uses is down, the first one first. */
export const fallbackBanks = pgTable(
  "fallback_banks",
  { merchantId: id(), position: integer().notNull(), mode: mode().notNull(), provider: text().notNull() },
  (t) => [
    primaryKey({ name: "fallback_banks_pkey", columns: [t.merchantId, t.position] }),
    unique("fallback_banks_once").on(t.merchantId, t.provider),
    foreignKey({ name: "fallback_banks_mode_fkey", columns: [t.merchantId, t.mode], foreignColumns: [merchants.id, merchants.mode] }),
    check("fallback_banks_no_sandbox_in_live", sql`not (${t.mode} = 'live' and ${t.provider} like 'sandbox%')`),
  ],
);

export const users = pgTable(
  "users",
  {
    id: id(),
    email: text().notNull(),
    name: text().notNull(),
    passwordHash: text().notNull(),
    /** Null: not verified. The person then cannot use the account, because someone else may have signed up with the address. */
    emailVerifiedAt: moment(),
    /** The name of the business that is made once the email is verified. Null afterwards. */
    pendingBusiness: text(),
    /** Until then the person may not give rights or read secrets: a password was reset by mail, or a first second factor was added. */
    restrictedUntil: moment(),
    /** When the first second factor was added. It has proved every later one. Null: never, or before this column existed. */
    factorsSince: moment(),
    /** When the password was last reset by mail. Browsers that signed in later may belong to another person. */
    passwordResetAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "users_pkey", columns: [t.id] }),
    unique("users_email").on(t.email),
    check("users_pending_until_verified", sql`${t.pendingBusiness} is null or ${t.emailVerifiedAt} is null`),
    check("users_email_lower_case", sql`${t.email} = lower(${t.email})`),
  ],
);

export const members = pgTable(
  "members",
  {
    businessId: id(),
    userId: id(),
    role: memberRole().notNull(),
    /** From when on an operator decides. Null: the business is a merchant's, not the platform's own. */
    decidesFrom: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "members_pkey", columns: [t.businessId, t.userId] }),
    foreignKey({ name: "members_business_fkey", columns: [t.businessId], foreignColumns: [businesses.id] }),
    foreignKey({ name: "members_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    index("members_by_user").on(t.userId),
    check("members_operators_decide", sql`(${t.businessId} = 'biz_platform') = (${t.decidesFrom} is not null)`),
  ],
);

/** Asks somebody by mail to join a business. It works once, for that email alone. */
export const invitations = pgTable(
  "invitations",
  {
    businessId: id(),
    id: id(),
    email: text().notNull(),
    role: memberRole().notNull(),
    /** The keyed hash of the token in the link of the newest mail. */
    tokenHash: text().notNull(),
    /** How often it was mailed. */
    sends: integer().notNull().default(1),
    /** When the newest mail was queued. */
    sentAt: createdAt(),
    expiresAt: moment().notNull(),
    acceptedAt: moment(),
    withdrawnAt: moment(),
    /** When the invited person declined it. */
    declinedAt: moment(),
    madeBy: madeBy(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "invitations_pkey", columns: [t.businessId, t.id] }),
    unique("invitations_token").on(t.tokenHash),
    foreignKey({ name: "invitations_business_fkey", columns: [t.businessId], foreignColumns: [businesses.id] }),
    uniqueIndex("invitations_one_open")
      .on(t.businessId, t.email)
      .where(sql`num_nonnulls(${t.acceptedAt}, ${t.withdrawnAt}, ${t.declinedAt}) = 0`),
    index("invitations_of_email").on(t.email).where(sql`num_nonnulls(${t.acceptedAt}, ${t.withdrawnAt}, ${t.declinedAt}) = 0`),
    check("invitations_end_once", sql`num_nonnulls(${t.acceptedAt}, ${t.withdrawnAt}, ${t.declinedAt}) <= 1`),
    check("invitations_email_lower_case", sql`${t.email} = lower(${t.email})`),
    check("invitations_token_hash", sql`${t.tokenHash} ~ '^[0-9a-f]{64}$'`),
  ],
);

/** A directory, because a request names only its public key and no merchant. The secret is stored as a keyed hash only. */
export const apiKeys = pgTable(
  "api_keys",
  {
    publicKey: text().notNull(),
    merchantId: id(),
    id: id(),
    name: text().notNull(),
    secretHash: text().notNull(),
    permissions: text().array().notNull(),
    allowedIps: text().array().notNull().default([]),
    /** The end that its maker chose, or the end of its overlap with the key that replaces it, whichever comes first. */
    expiresAt: moment(),
    /** The id of the key that it was rolled to. */
    replacedBy: text(),
    revokedAt: moment(),
    /** Its maker said that somebody else was in the account when it was made. It is refused until a member resumes it. */
    pausedAt: moment(),
    /** Counts the changes of name, permissions and addresses: a change names the version that it was made from. */
    version: integer().notNull().default(1),
    madeBy: madeBy(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "api_keys_pkey", columns: [t.publicKey] }),
    unique("api_keys_id").on(t.merchantId, t.id),
    index("api_keys_ending").on(t.expiresAt).where(sql`${t.expiresAt} is not null and ${t.revokedAt} is null`),
  ],
);

/** The last use of each key that was used. A table of its own, because it is written twice a second and every request reads `api_keys`. */
export const apiKeyUses = pgTable(
  "api_key_uses",
  { merchantId: id(), apiKeyId: id(), lastUsedAt: moment().notNull(), lastUsedAddress: text().notNull() },
  (t) => [primaryKey({ name: "api_key_uses_pkey", columns: [t.merchantId, t.apiKeyId] })],
);
