import type { ReactNode } from "react";
import type { Page } from "#app/_people/require-member.ts";
import { Closed } from "#components/page/closed.tsx";
import type { Area } from "#services/context.ts";

const THINGS: Record<Area, string> = { checkout: "Payment links", cards: "Cards", vtu: "Top-ups" };

/** Returns what a page shows in place of an area that is switched off, or undefined if it is on. */
export function closedArea({ ctx }: Page, area: Area): ReactNode | undefined {
  if (ctx.merchant.areas.includes(area)) return undefined;
  return (
    <Closed title={`${THINGS[area]} are not switched on for your business.`}>
      Ask the people who run this service to switch them on. What you have made before stays.
    </Closed>
  );
}
