import type { ReactNode } from "react";
import { Logo } from "#components/ui/logo.tsx";
import { ToastProvider } from "#components/ui/toast.tsx";
import { AccountMenu, type BusinessChoice, BusinessMenu } from "./menus.tsx";
import { type Mode, ModeSwitch, TestBanner } from "./mode-switch.tsx";
import { MoreSheet } from "./more-sheet.tsx";
import { type NavEntry, NavLinks, PhoneLinks, SectionName } from "./nav-links.tsx";

interface NavGroup {
  /** The name of the group, over its entries. The first group has none. */
  label?: string | undefined;
  entries: readonly NavEntry[];
}

interface ShellProps {
  /** The address of the home page; it ends with the mode. */
  base: string;
  mode: Mode;
  business: { id: string; name: string };
  businesses: readonly BusinessChoice[];
  user: { name: string; email: string };
  nav: readonly NavGroup[];
  accountHref: string;
  signOutAction: string;
  /** The flag with the number of alerts that need the reader. */
  alerts?: ReactNode;
  search?: ReactNode;
  children: ReactNode;
}

/**
 * The frame of the dashboard: a side bar and a top bar on a wide screen, a top and a bottom bar on a phone. Its height of bars is
 * `--below-bars`, below which the head of a table stays.
 */
export function Shell(props: ShellProps) {
  const { mode, business, businesses, nav, children } = props;
  const top = mode === "test" ? "top-7" : "top-0";
  const below = mode === "test" ? "[--below-bars:4.75rem]" : "[--below-bars:3rem]";
  return (
    <ToastProvider>
      <div className={`flex min-h-dvh flex-col ${below}`}>
        <a
          href="#content"
          className="sr-only z-50 rounded-control bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
        >
          Skip to the content
        </a>
        {mode === "test" && <TestBanner />}
        <div className="flex grow">
          <aside
            aria-label="Side bar"
            className={`sticky ${top} hidden h-[calc(100dvh-var(--below-bars)+3rem)] w-60 shrink-0 flex-col overflow-y-auto border-r border-line px-2 wide:flex print:hidden`}
          >
            <div className="flex min-h-12 items-center">
              <BusinessMenu business={business} businesses={businesses} />
            </div>
            <Navigation nav={nav} />
            <div className="mt-auto px-2.5 py-4 text-muted">
              <Logo />
            </div>
          </aside>
          <div className="flex min-w-0 grow flex-col">
            <TopBar {...props} top={top} />
            <main id="content" tabIndex={-1} className="min-w-0 grow px-4 pt-4 pb-24 wide:px-6 wide:pt-6 wide:pb-12">
              {children}
            </main>
          </div>
        </div>
        <BottomBar {...props} />
      </div>
    </ToastProvider>
  );
}

function Navigation({ nav }: { nav: readonly NavGroup[] }) {
  return (
    <nav aria-label="Main" className="flex flex-col gap-4 py-2">
      {nav.map(({ label, entries }) => (
        <div key={label ?? "first"}>
          {label && <p className="px-2.5 pb-1 text-fact font-medium text-muted">{label}</p>}
          <NavLinks entries={entries} />
        </div>
      ))}
    </nav>
  );
}

function TopBar({ base, mode, nav, user, accountHref, signOutAction, alerts, search, top }: ShellProps & { top: string }) {
  return (
    <header
      className={`sticky ${top} z-10 flex min-h-12 flex-wrap items-center max-[18rem]:static gap-2 border-b border-line bg-ground pr-2 pl-4 wide:gap-3 wide:pr-4 wide:pl-6 print:hidden`}
    >
      {/* A wide screen has the name in its side bar. */}
      <div className="min-w-0 grow basis-0 wide:hidden">
        <SectionName entries={nav.flatMap(({ entries }) => entries)} />
      </div>
      <div className="wide:grow">{search}</div>
      <ModeSwitch base={base} mode={mode} />
      {alerts}
      <AccountMenu user={user} accountHref={accountHref} signOutAction={signOutAction} />
    </header>
  );
}

function BottomBar({ nav, business, businesses }: ShellProps) {
  const entries = nav.flatMap((group) => group.entries);
  const others = nav.map(({ label, entries: all }) => ({ label, entries: all.filter(({ phoneLabel }) => !phoneLabel) }));
  return (
    <nav
      aria-label="Main, short"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] wide:hidden print:hidden"
    >
      <ul className="grid h-14 auto-cols-fr grid-flow-col">
        <PhoneLinks entries={entries.filter(({ phoneLabel }) => phoneLabel)} />
        <li className="min-w-0">
          <MoreSheet>
            <BusinessMenu business={business} businesses={businesses} />
            <Navigation nav={others.filter((group) => group.entries.length > 0)} />
          </MoreSheet>
        </li>
      </ul>
    </nav>
  );
}
