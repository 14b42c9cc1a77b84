import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { AskForArea } from "#app/(dashboard)/_page/ask-for-area.tsx";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { BusinessSettings } from "#components/settings/business-settings.tsx";
import type { Area } from "#services/context.ts";
import { ALL_AREAS, findAreaState, getBusiness, getEmbedOrigins } from "#services/merchants/index.ts";
import { ChangeFrames } from "./change-frames.tsx";
import { Rename } from "./rename.tsx";
import { SettingsTabs } from "./tabs.tsx";

export const metadata: Metadata = { title: "Settings" };

const THINGS: Record<Area, string> = { checkout: "Payment links", cards: "Cards", vtu: "Top-ups" };

export default async function SettingsPage({ params }: PageProps<"/b/[business]/[mode]/settings">) {
  const page = await requireMember(params);
  const { ctx } = page;
  const closed = closedTo(page, "settings:write", "Settings");
  if (closed) {
    return (
      <>
        <SettingsTabs page={page} current="business" />
        {closed}
      </>
    );
  }
  const isActive = mayChange(ctx, "settings:write");
  const [business, origins, areas] = await Promise.all([
    getBusiness(ctx),
    getEmbedOrigins(ctx),
    Promise.all(ALL_AREAS.map((area) => findAreaState(ctx, area))),
  ]);
  const { name, requestedName } = business;
  return (
    <BusinessSettings
      tabs={<SettingsTabs page={page} current="business" />}
      name={name}
      requestedName={requestedName}
      rename={isActive && <Rename name={name} requestedName={requestedName} />}
      mode={ctx.merchant.mode}
      areas={areas.map(({ area, isOn, requestedAt }) => ({
        ...{ key: area, label: THINGS[area], isOn, isAsked: requestedAt !== null },
        ask: isActive && !isOn && requestedAt === null && (
          <AskForArea area={area} label={`Ask for ${THINGS[area].toLowerCase()}`} isPrimary={false} />
        ),
      }))}
      frames={{ origins, change: isActive && <ChangeFrames origins={origins} mode={ctx.merchant.mode} /> }}
      openAnotherHref="/businesses/new"
    />
  );
}
