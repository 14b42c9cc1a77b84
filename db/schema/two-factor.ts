import { sql } from "drizzle-orm";
import { bigint, check, foreignKey, index, pgEnum, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { createdAt, id, moment } from "./columns.ts";
import { users } from "./tenants.ts";

/** Secrets of authenticator apps (TOTP, RFC 6238), one for each user. A secret asks for codes once the user has confirmed it with one. */
export const totpSecrets = pgTable(
  "totp_secrets",
  {
    userId: id(),
    /** The secret in base 32, sealed (lib/sealed) for this user. */
    sealedSecret: text().notNull(),
    confirmedAt: moment(),
    /** The time step of the last code that was accepted. Only later ones are, so that a code counts once. */
    lastStep: bigint({ mode: "number" }).notNull().default(0),
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

/** What a signed-in person does after proving again by a passkey who it is. */
export const proofPurpose = pgEnum("proof_purpose", ["reveal_card", "add_passkey", "remove_passkey", "manage_keys", "manage_team"]);

/** Challenges that a passkey is asked to sign, each once: using one deletes it. Only their keyed hashes are stored. */
export const passkeyChallenges = pgTable(
  "passkey_challenges",
  {
    hash: text().notNull(),
    /** Who adds a passkey or proves again who it is. Null for a sign-in, whose user is known by the passkey. */
    userId: text(),
    /** Only for a proof: what it is for, and the session that asked for it. */
    purpose: proofPurpose(),
    sessionId: text(),
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
