import type { ROLES } from "#services/members/contract.ts";

export type RoleName = (typeof ROLES)[number];

/** What the roles are called, and what they may do. */
export const ROLE_WORDS: Record<RoleName, { label: string; says: string }> = {
  owner: { label: "Owner", says: "May do everything, also make other owners." },
  admin: { label: "Admin", says: "May do everything except change owners." },
  developer: {
    label: "Developer",
    says: "Looks after webhooks, events and requests. In test mode also keys, links, cards and top-ups.",
  },
  support: { label: "Support", says: "Creates payment links and reads tokens and pins. Sees everything about money, and moves none." },
  viewer: { label: "Viewer", says: "Sees links, cards, top-ups, transactions and the wallet, and changes nothing." },
};
