import { mayChange } from "#app/(dashboard)/_page/may.ts";
import type { Area, MemberContext } from "#services/context.ts";

/** Returns what the reader can do here: the area is on and set up, and the role may. */
export function waysOf(ctx: MemberContext) {
  const { areas, bank, issuer, aggregator } = ctx.merchant;
  return {
    createLinks: areas.includes("checkout") && bank !== null && mayChange(ctx, "checkout:write"),
    addCardholders: areas.includes("cards") && issuer !== null && mayChange(ctx, "cards:write"),
    buy: areas.includes("vtu") && aggregator !== null && mayChange(ctx, "vtu:write"),
  };
}

/** Returns a sentence about the areas that are on and that no provider serves yet, or undefined. */
export function notSetUp({ merchant: { areas, bank, issuer, aggregator, mode } }: MemberContext): string | undefined {
  if (mode === "live" && areas.length === 0)
    return "Live mode is not switched on for your business yet. Ask the people who run this service. Until then, try everything in test mode.";
  const missing: [Area, string | null, string][] = [
    ["checkout", bank, "payment links"],
    ["cards", issuer, "cards"],
    ["vtu", aggregator, "top-ups"],
  ];
  const names = missing.filter(([area, provider]) => areas.includes(area) && provider === null).map(([, , name]) => name);
  if (names.length === 0) return undefined;
  const list = names.length === 1 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const text = `${list.slice(0, 1).toUpperCase()}${list.slice(1)} are not set up in ${mode} mode yet.`;
  return `${text} Ask the people who run this service.${mode === "live" ? " Until then, try everything in test mode." : ""}`;
}
