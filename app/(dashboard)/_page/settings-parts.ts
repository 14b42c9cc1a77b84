import type { MemberContext } from "#services/context.ts";
import type { MemberPermission } from "#services/members/index.ts";
import { may } from "./may.ts";

export interface SettingsPart {
  part: "business" | "brand" | "alerts" | "fees" | "audit";
  label: string;
  /** Below the path of the settings. */
  path: string;
  permission: MemberPermission;
}

const PARTS: readonly SettingsPart[] = [
  { part: "business", label: "Business", path: "", permission: "settings:write" },
  { part: "brand", label: "Brand", path: "/brand", permission: "settings:write" },
  { part: "alerts", label: "Alerts", path: "/alerts", permission: "browse" },
  { part: "fees", label: "Fees and limits", path: "/fees", permission: "wallet:read" },
  { part: "audit", label: "Audit log", path: "/audit", permission: "audit:read" },
];

/** Returns the pages of settings that a reader may open. */
export const settingsParts = (ctx: MemberContext): readonly SettingsPart[] => PARTS.filter(({ permission }) => may(ctx, permission));
