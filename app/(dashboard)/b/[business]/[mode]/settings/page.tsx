import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { AskForArea } from "#app/(dashboard)/_page/ask-for-area.tsx";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { AREA_WORDS } from "#components/settings/audit-words.ts";
import { BusinessSettings } from "#components/settings/business-settings.tsx";
import { readableAddress } from "#lib/readable-host.ts";
import { ALL_AREAS, findAreaState, getBusiness, getEmbedOrigins } from "#services/merchants/index.ts";
import { ChangeFrames } from "./change-frames.tsx";
import { Rename } from "./rename.tsx";
import { SettingsTabs } from "./tabs.tsx";

export const metadata: Metadata = { title: "Settings" };

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
  const readableOrigins = origins.map(readableAddress);
  // In live mode nothing works without an area. So until one is on or asked for, asking for an area is the page's primary action.
  const isToAsk = ctx.merchant.mode === "live" && areas.every(({ isOn, requestedAt }) => !isOn && requestedAt === null);
  return (
    <BusinessSettings
      tabs={<SettingsTabs page={page} current="business" />}
      name={name}
      requestedName={requestedName}
      rename={isActive && <Rename name={name} requestedName={requestedName} />}
      mode={ctx.merchant.mode}
      areas={areas.map(({ area, isOn, requestedAt }, at) => ({
        ...{ key: area, label: AREA_WORDS[area], isOn, isAsked: requestedAt !== null },
        ask: isActive && !isOn && requestedAt === null && (
          <AskForArea area={area} label={`Ask for ${AREA_WORDS[area].toLowerCase()}`} isPrimary={isToAsk && at === 0} />
        ),
      }))}
      frames={{
        origins: readableOrigins,
        change: isActive && <ChangeFrames origins={origins} shown={readableOrigins} mode={ctx.merchant.mode} />,
      }}
      openAnotherHref="/businesses/new"
    />
  );
}
