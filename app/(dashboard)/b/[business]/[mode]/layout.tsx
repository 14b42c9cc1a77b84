import type { Metadata } from "next";
import { ClientProvider } from "#app/_client/provider.tsx";
import { PulseFlag, PulseProvider, SessionEnd } from "#app/_client/pulse.tsx";
import { SearchBox } from "#app/_client/search-box.tsx";
import type { Page } from "#app/_people/find-member.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { toShellView } from "#app/_people/to-shell-view.ts";
import { lockedNavOf, navOf } from "#app/(dashboard)/_page/nav.tsx";
import { developersHref, placesOf, settingsHref, teamHref } from "#app/(dashboard)/_page/places.ts";
import { iconsOf } from "#components/shell/icons.ts";
import { Shell } from "#components/shell/shell.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Merchant } from "#services/context.ts";
import { getWallet } from "#services/ledger/index.ts";
import { presentPulse, readPulse } from "#services/pulse/index.ts";
import { getOwnUser } from "#services/users/index.ts";

export async function generateMetadata({ params }: LayoutProps<"/b/[business]/[mode]">): Promise<Metadata> {
  const { ctx } = await requireMember(params);
  return { icons: iconsOf(ctx.merchant.mode) };
}

/**
 * The frame of the dashboard. Each page calls `requireMember` itself, because a layout is not rendered anew for every page. To a member who must
 * set up a second factor first, it shows nothing of the business but its name. Its structure is the same then, so that it can fill itself
 * while the page keeps its state, such as new recovery codes.
 */
export default async function DashboardLayout({ params, children }: LayoutProps<"/b/[business]/[mode]">) {
  const page = await requireMember(params);
  const { ctx, base, isLockedOut } = page;
  const user = await getOwnUser(ctx);
  const open = isLockedOut ? undefined : await readOpenFrame(page);
  return (
    <ClientProvider merchantId={ctx.merchant.id}>
      <PulseProvider first={open?.pulse}>
        <Shell
          {...toShellView(page, user)}
          nav={open?.nav ?? lockedNavOf(base)}
          search={open?.search}
          alerts={open && <PulseFlag href={`${base}#needs-you`} />}
        >
          <noscript>
            <div className="mb-6 max-w-[45rem]">
              <Notice tone="warning">The dashboard needs JavaScript. Turn it on, then reload this page.</Notice>
            </div>
          </noscript>
          {!isLockedOut && <Suspension merchant={ctx.merchant} />}
          {children}
          <SessionEnd />
        </Shell>
      </PulseProvider>
    </ClientProvider>
  );
}

/** Returns what the frame shows of the business. */
async function readOpenFrame(page: Page) {
  const { ctx, base } = page;
  const [wallet, pulse] = await Promise.all([getWallet(ctx), readPulse(ctx)]);
  return {
    pulse: presentPulse(pulse),
    nav: navOf(base, wallet.available, { developers: developersHref(page), team: teamHref(page), settings: settingsHref(page) }),
    search: <SearchBox base={base} places={placesOf(page)} />,
  };
}

/** Says that the business is suspended, in this mode or in the other one. */
function Suspension({ merchant: { mode, status, isOtherModeSuspended } }: { merchant: Merchant }) {
  if (status === "active" && !isOtherModeSuspended) return null;
  const isHere = status === "suspended";
  const other = mode === "test" ? "live" : "test";
  return (
    <div className="mb-6 max-w-[45rem]">
      <Notice tone="warning" title={isHere ? "Your business is suspended" : `Your business is suspended in ${other} mode`}>
        {isHere
          ? "You can read and download everything, and freeze cards. Nothing else can be changed. Write to support."
          : `You can work on in ${mode} mode. What both modes share cannot be changed: the business, its brand and its team. Write to support.`}
      </Notice>
    </div>
  );
}
