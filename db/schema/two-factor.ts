import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";
import { users } from "./tenants.ts";

/** The proof with which a second factor was added: a mailed code for the first one, an existing factor for all others. */
export const factorProof = pgEnum("factor_proof", ["mailed_code", "factor"]);

/**
 * Whether the factor has signed in from a browser that its owner had used before the first factor was added (`noteUse` of
 * services/users/factors/factor-use.ts). The link "This was not me" of a mail then removes no factor.
 */
const usedFromKnownDevice = () => boolean().notNull().default(false);

/** Secrets of authenticator apps (TOTP, RFC 6238), one for each user. A secret asks for codes once the user has confirmed it with one. */
export const totpSecrets = pgTable(
  "totp_secrets",
  {
    userId: id(),
    /** The secret in base 32, sealed (lib/sealed) for this user. */
    sealedSecret: text().notNull(),
    confirmedAt: moment(),
    /** The time step of the last accepted code. Only codes of later steps are accepted, so that each code works once. */
    lastStep: bigint({ mode: "number" }).notNull().default(0),
    /** While it waits for its first code: the proof that it was made with, and the session in which it is confirmed. */
    provedBy: factorProof(),
    sessionId: text(),
    usedFromKnownDevice: usedFromKnownDevice(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "totp_secrets_pkey", columns: [t.userId] }),
    foreignKey({ name: "totp_secrets_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
  ],
);

/** Codes that stand in for a lost second factor, each once. The owner has them on paper; only their keyed hashes are stored. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  { userId: id(), hash: text().notNull(), usedAt: moment(), createdAt: createdAt() },
  (t) => [
    primaryKey({ name: "recovery_codes_pkey", columns: [t.userId, t.hash] }),
    foreignKey({ name: "recovery_codes_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    check("recovery_codes_hash", sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);

/** Keys in a person's devices (WebAuthn). The device keeps the private key; here is the public one. */
export const passkeys = pgTable(
  "passkeys",
  {
    id: id(),
    userId: id(),
    /** The name that the device gave to its key, in base64url. */
    credentialId: text().notNull(),
    /** A COSE key in base64url. */
    publicKey: text().notNull(),
    /** How often the device says that it has used the key. It stays 0 for keys that are copied between devices. */
    counter: bigint({ mode: "number" }).notNull(),
    /** How a browser reaches the device, as the browser said: `internal`, `hybrid`, `usb` … */
    transports: text().array().notNull().default([]),
    name: text().notNull(),
    usedFromKnownDevice: usedFromKnownDevice(),
    lastUsedAt: moment(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "passkeys_pkey", columns: [t.id] }),
    unique("passkeys_credential").on(t.credentialId),
    foreignKey({ name: "passkeys_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    index("passkeys_by_user").on(t.userId, t.id),
    check("passkeys_counter_not_negative", sql`${t.counter} >= 0`),
  ],
);

/** The actions before which a signed-in person proves by a passkey again who they are. */
export const proofPurpose = pgEnum("proof_purpose", [
  "reveal_card",
  "add_passkey",
  "remove_passkey",
  "manage_keys",
  "manage_team",
  "add_app",
  "pay_out",
  "manage_payouts",
]);

/** Challenges that a passkey is asked to sign, each once: using one deletes it. Only their keyed hashes are stored. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    hash: text().notNull(),
    /** The user who adds a passkey or gives a proof. Null for a sign-in, because the passkey then tells the user. */
    userId: text(),
    /** Only for a proof: its purpose, and the session that asked for it. */
    purpose: proofPurpose(),
    sessionId: text(),
    /** Only for a new passkey: the proof that its owner gave. */
    provedBy: factorProof(),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "passkey_challenges_pkey", columns: [t.hash] }),
    foreignKey({ name: "passkey_challenges_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    index("passkey_challenges_by_end").on(t.expiresAt),
    check(
      "passkey_challenges_proof_of_a_session",
      sql`(${t.purpose} is null) = (${t.sessionId} is null) and (${t.purpose} is null or ${t.userId} is not null)`,
    ),
    check("passkey_challenges_hash", sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);

/** Sign-ins whose password was right and whose second factor is due. Using a ticket deletes it. Only its keyed hash is stored. */
export const signInTickets = pgTable(
  "sign_in_tickets",
  { hash: text().notNull(), userId: id(), expiresAt: moment().notNull(), createdAt: createdAt() },
  (t) => [
    primaryKey({ name: "sign_in_tickets_pkey", columns: [t.hash] }),
    foreignKey({ name: "sign_in_tickets_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    index("sign_in_tickets_by_user").on(t.userId),
    index("sign_in_tickets_by_end").on(t.expiresAt),
    check("sign_in_tickets_hash", sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);

/** The code that a person without a second factor got by mail, to add the first one. The newest replaces an earlier one. Only its keyed hash is stored. */
export const mailedCodes = pgTable(
  "mailed_codes",
  {
    userId: id(),
    /** The session that asked for it. It works in no other. */
    sessionId: id(),
    hash: text().notNull(),
    /** Wrong codes that were typed since it was mailed. */
    tries: integer().notNull().default(0),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "mailed_codes_pkey", columns: [t.userId] }),
    foreignKey({ name: "mailed_codes_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    check("mailed_codes_hash", sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
  ],
);

/**
 * Requests to remove all second factors of a person who cannot sign in. A link is mailed a day after the request, and only its owner's click
 * removes them. A sign-in with one of the factors ends the request.
 */
export const factorRemovals = pgTable(
  "factor_removals",
  {
    userId: id(),
    id: id(),
    /** Who asked: the owner of the mailbox, after a reset by mail, or an operator. */
    askedBy: text({ enum: ["mail", "operator"] }).notNull(),
    linkMailedAt: moment(),
    endedAt: moment(),
    end: text({ enum: ["removed", "signed_in", "replaced", "denied"] }),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "factor_removals_pkey", columns: [t.userId, t.id] }),
    foreignKey({ name: "factor_removals_user_fkey", columns: [t.userId], foreignColumns: [users.id] }),
    uniqueIndex("factor_removals_one_open").on(t.userId).where(sql`${t.endedAt} is null`),
    index("factor_removals_due").on(t.createdAt).where(sql`${t.endedAt} is null and ${t.linkMailedAt} is null`),
    check("factor_removals_asked_by", sql`${t.askedBy} in ('mail', 'operator')`),
    check("factor_removals_end", sql`(${t.endedAt} is null) = (${t.end} is null)`),
  ],
);
