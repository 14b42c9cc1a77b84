import type { Place } from "#app/_client/search-places.ts";
import type { Page } from "#app/_people/find-member.ts";
import { developerParts } from "./developer-parts.ts";
import { may, mayChange } from "./may.ts";
import { settingsParts } from "./settings-parts.ts";

/** Returns the pages and actions that a search offers to a reader. */
export function placesOf({ ctx, base }: Page): Place[] {
  const has = (area: "checkout" | "cards" | "vtu") => ctx.merchant.areas.includes(area);
  const page = (label: string, path: string, keys?: string): Place => ({ kind: "page", label, href: `${base}${path}`, keys });
  const action = (label: string, path: string, keys?: string): Place => ({ kind: "action", label, href: `${base}${path}`, keys });
  return [
    ...(has("checkout") && mayChange(ctx, "checkout:write") ? [action("Create payment link", "/links/new", "c")] : []),
    ...(has("vtu") && mayChange(ctx, "vtu:write") ? buying.map(([label, path]) => action(label, path)) : []),
    page("Home", "", "g h"),
    ...(may(ctx, "wallet:read") ? [page("Wallet", "/wallet", "g w")] : []),
    ...(may(ctx, "wallet:read")
      ? [page("Payouts", "/wallet/payouts"), page("Bank accounts", "/wallet/accounts"), page("Payout rules", "/wallet/rules")]
      : []),
    page("Payment links", "/links", "g l"),
    page("Cards", "/cards", "g c"),
    page("Cardholders", "/cards/holders"),
    page("Card spend", "/cards/spend"),
    page("Card money", "/cards/operations"),
    page("Top-ups", "/top-ups", "g t"),
    page("Transactions", "/transactions", "g a"),
    ...developerParts(ctx).map(({ label, path }, i) => page(label, `/developers${path}`, i === 0 ? "g d" : undefined)),
    ...(may(ctx, "team:write") ? [page("Team", "/team", "g m")] : []),
    ...settingsParts(ctx).map(({ label, path }, i) => page(label, `/settings${path}`, i === 0 ? "g e" : undefined)),
    page("Your security", "/security", "g s"),
  ];
}

/** Returns the first page of developers that a reader may open. */
export function developersHref({ ctx, base }: Page): string | undefined {
  const [first] = developerParts(ctx);
  return first && `${base}/developers${first.path}`;
}

/** Returns the first page of settings that a reader may open. */
export function settingsHref({ ctx, base }: Page): string | undefined {
  const [first] = settingsParts(ctx);
  return first && `${base}/settings${first.path}`;
}

/** Returns the page of the team, for a reader who may open it. */
export const teamHref = ({ ctx, base }: Page): string | undefined => (may(ctx, "team:write") ? `${base}/team` : undefined);

const buying = [
  ["Buy airtime", "/top-ups/airtime"],
  ["Buy data", "/top-ups/data"],
  ["Pay for cable TV", "/top-ups/cable"],
  ["Pay for light (electricity)", "/top-ups/electricity"],
  ["Buy exam pins", "/top-ups/exam-pins"],
  ["Buy many at once from a file", "/top-ups/bulk"],
] as const;
