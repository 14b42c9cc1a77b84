import type { MemberContext } from "#services/context.ts";
import type { MemberPermission } from "#services/members/index.ts";
import { may } from "./may.ts";

export interface DeveloperPart {
  part: "keys" | "webhooks" | "deliveries" | "events" | "requests" | "simulator";
  label: string;
  /** Below the path of the developers' pages. */
  path: string;
  permission: MemberPermission;
}

const PARTS: readonly DeveloperPart[] = [
  { part: "keys", label: "API keys", path: "", permission: "keys:write" },
  { part: "webhooks", label: "Webhooks", path: "/webhooks", permission: "webhooks:read" },
  { part: "deliveries", label: "Deliveries", path: "/deliveries", permission: "webhooks:read" },
  { part: "events", label: "Events", path: "/events", permission: "events:read" },
  { part: "requests", label: "Requests", path: "/requests", permission: "requests:read" },
  // No role has this permission in live mode.
  { part: "simulator", label: "Simulator", path: "/simulator", permission: "test:write" },
];

/** Returns the pages of developers that a reader may open. */
export const developerParts = (ctx: MemberContext): readonly DeveloperPart[] => PARTS.filter(({ permission }) => may(ctx, permission));
