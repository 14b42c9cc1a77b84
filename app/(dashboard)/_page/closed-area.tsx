import type { ReactNode } from "react";
import type { Page } from "#app/_people/find-member.ts";
import { Closed } from "#components/page/closed.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Area, MemberContext } from "#services/context.ts";
import { findAreaState } from "#services/merchants/index.ts";
import { AskForArea } from "./ask-for-area.tsx";
import { mayChange, whoMay } from "./may.ts";

const THINGS: Record<Area, string> = { checkout: "Payment links", cards: "Cards", vtu: "Top-ups" };

/** Returns what a page shows in place of an area that is switched off, or undefined if it is on. */
export function closedArea({ ctx }: Page, area: Area): ReactNode | undefined {
  return ctx.merchant.areas.includes(area) ? undefined : <ClosedArea ctx={ctx} area={area} />;
}

async function ClosedArea({ ctx, area }: { ctx: MemberContext; area: Area }) {
  const { requestedAt } = await findAreaState(ctx, area);
  return (
    <Closed isPage title={`${THINGS[area]} are not switched on for your business`}>
      {requestedAt ? (
        <p>
          You asked for them <Time at={requestedAt} now={new Date()} />. The people who run this service decide, and this page opens when
          they have switched them on.
        </p>
      ) : (
        <AskingFor ctx={ctx} area={area} />
      )}
    </Closed>
  );
}

function AskingFor({ ctx, area }: { ctx: MemberContext; area: Area }) {
  return (
    <>
      <p>The people who run this service switch them on. What you have made before stays.</p>
      <div className="mt-4">
        {mayChange(ctx, "settings:write") ? (
          <AskForArea area={area} label={`Ask for ${THINGS[area].toLowerCase()}`} />
        ) : (
          <p>{whoMay(ctx, "settings:write").replace("do this", "ask for them")}</p>
        )}
      </div>
    </>
  );
}
