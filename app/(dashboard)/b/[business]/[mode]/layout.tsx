import type { Metadata } from "next";
import { ClientProvider } from "#app/_client/provider.tsx";
import { PulseFlag, PulseProvider, SessionEnd } from "#app/_client/pulse.tsx";
import { SearchBox } from "#app/_client/search-box.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { toShellView } from "#app/_people/to-shell-view.ts";
import { navOf } from "#app/(dashboard)/_page/nav.tsx";
import { developersHref, placesOf, settingsHref, teamHref } from "#app/(dashboard)/_page/places.ts";
import { iconsOf } from "#components/shell/icons.ts";
import { Shell } from "#components/shell/shell.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { getWallet } from "#services/ledger/index.ts";
import { presentPulse, readPulse } from "#services/pulse/index.ts";
import { getOwnUser } from "#services/users/index.ts";

export async function generateMetadata({ params }: LayoutProps<"/b/[business]/[mode]">): Promise<Metadata> {
  const { ctx } = await requireMember(params);
  return { icons: iconsOf(ctx.merchant.mode) };
}

/** The frame of the dashboard. Each page asks `requireMember` by itself, because a layout is not rendered anew for every page. */
export default async function DashboardLayout({ params, children }: LayoutProps<"/b/[business]/[mode]">) {
  const page = await requireMember(params);
  const { ctx, base } = page;
  const [user, wallet, pulse] = await Promise.all([getOwnUser(ctx), getWallet(ctx), readPulse(ctx)]);
  return (
    <ClientProvider merchantId={ctx.merchant.id}>
      <PulseProvider first={presentPulse(pulse)}>
        <Shell
          {...toShellView(page, user)}
          nav={navOf(base, wallet.available, { developers: developersHref(page), team: teamHref(page), settings: settingsHref(page) })}
          search={<SearchBox base={base} places={placesOf(page)} />}
          alerts={<PulseFlag href={`${base}#needs-you`} />}
        >
          <noscript>
            <div className="mb-6 max-w-[45rem]">
              <Notice tone="warning">The dashboard needs JavaScript. Turn it on, then reload this page.</Notice>
            </div>
          </noscript>
          {ctx.merchant.status === "suspended" && (
            <div className="mb-6 max-w-[45rem]">
              <Notice tone="warning" title="Your business is suspended">
                You can read and download everything, and freeze cards. Nothing else can be changed. Write to support.
              </Notice>
            </div>
          )}
          {children}
          <SessionEnd />
        </Shell>
      </PulseProvider>
    </ClientProvider>
  );
}
