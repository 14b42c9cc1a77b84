import { z } from "zod";
import type { Role } from "../context.ts";
import { type MemberPermission, mayRole } from "../members/contract.ts";

/** The topics of mails to members. Mails about a person's own security have no topic, because they are always sent. */
export const TOPICS = ["payments", "returns", "wallet", "cards", "developers"] as const;
export type Topic = (typeof TOPICS)[number];

/** `each`: a mail for each, and in a flood a summary. `daily`: one mail, in the morning. */
export const FREQUENCIES = ["each", "daily", "never"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export type MailChoices = { [topic in Topic]?: Frequency | undefined };

const MANAGERS: readonly Role[] = ["owner", "admin"];

/** The permission that a topic needs in live mode, and the roles that are mailed about it before they choose. */
const TOPIC: Record<Topic, { permission: MemberPermission; mailed: readonly Role[] }> = {
  payments: { permission: "checkout:read", mailed: [] },
  returns: { permission: "checkout:read", mailed: MANAGERS },
  wallet: { permission: "wallet:read", mailed: MANAGERS },
  cards: { permission: "cards:read", mailed: MANAGERS },
  developers: { permission: "webhooks:read", mailed: ["owner", "admin", "developer"] },
};

/** Returns the topics that a role may see, and be mailed about: mails tell of live mode alone, so its permissions count. */
export const topicsOf = (role: Role): Topic[] => TOPICS.filter((topic) => mayRole(role, TOPIC[topic].permission, "live"));

/** Returns how often a role is mailed about a topic before the member chooses. */
export const defaultFrequency = (role: Role, topic: Topic): Frequency => (TOPIC[topic].mailed.includes(role) ? "each" : "never");

const frequency = z.enum(FREQUENCIES, { error: `Send ${FREQUENCIES.join(", ")}.` });
const choices = {
  payments: frequency.optional().meta({ description: "Payment links that are paid." }),
  returns: frequency.optional().meta({
    description:
      "Transfers that go back to payers, payments that banks take back, top-ups that are taken back or not decided, files of top-ups that have stopped.",
  }),
  wallet: frequency.optional().meta({ description: "A balance below the limit, and debts." }),
  cards: frequency.optional().meta({ description: "Blocked cards, money of cards that waits, a rate that ends." }),
  developers: frequency.optional().meta({ description: "Webhook endpoints that fail or were switched off, and keys that end." }),
} satisfies Record<Topic, z.ZodType>;

export const SetMailChoices = z.strictObject(choices).meta({ id: "SetMailChoices" });
/** The topics that the member's role may be mailed about. */
export const MailChoicesObject = z.object(choices).meta({ id: "MailChoices" });
