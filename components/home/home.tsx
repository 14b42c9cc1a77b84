import { Plus, Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import { PageHead } from "#components/page/page-head.tsx";
import { PrimaryAction } from "#components/shell/primary-action.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { type Volume, VolumeFigures, WalletFigures, type WalletView } from "./figures.tsx";
import { type Need, NeedsYou } from "./needs-you.tsx";

interface HomeProps {
  name: string;
  wallet: WalletView;
  /** Absent without payment links. */
  volume: Volume | undefined;
  needs: readonly Need[];
  hasMoreNeeds: boolean;
  /** Absent once the steps are done or hidden. */
  firstSteps: ReactNode;
  latest: ReactNode;
  /** Whether nothing has happened in this business yet. The first steps are the main content then. */
  isNew: boolean;
  createLinkHref: string | undefined;
  buyAirtimeHref: string | undefined;
  /** A sentence about the areas that no provider serves in live mode. */
  notSetUp: string | undefined;
  now: Date;
}

/** The day at a glance, and what to do. */
export function Home({ name, isNew, firstSteps, notSetUp, now, ...props }: HomeProps) {
  const { needs, hasMoreNeeds: hasMore, wallet, volume, latest } = props;
  return (
    <>
      <PageHead title={`${greetingAt(lagosHour(now))}, ${firstNameOf(name)}`} actions={!(isNew && firstSteps) && <Actions {...props} />} />
      <div className="flex flex-col gap-8">
        {notSetUp && <Notice>{notSetUp}</Notice>}
        {isNew && firstSteps ? (
          <>
            <div className="max-w-[60rem]">{firstSteps}</div>
            {needs.length > 0 && <NeedsYou {...{ needs, hasMore, now }} />}
          </>
        ) : (
          <>
            <WalletFigures {...wallet} />
            {volume && <VolumeFigures {...volume} />}
            {/* The second row takes the height that the latest need, so that the first steps follow directly below "Needs you". */}
            <div className="flex flex-col gap-8 wide:grid wide:grid-cols-2 wide:grid-rows-[auto_1fr] wide:items-start">
              <NeedsYou {...{ needs, hasMore, now }} />
              <div className="min-w-0 wide:col-start-2 wide:row-span-2 wide:row-start-1">{latest}</div>
              {firstSteps}
            </div>
          </>
        )}
      </div>
    </>
  );
}

function Actions({ createLinkHref, buyAirtimeHref }: Pick<HomeProps, "createLinkHref" | "buyAirtimeHref">) {
  return (
    <>
      {createLinkHref && (
        <PrimaryAction>
          <ButtonLink variant="primary" href={createLinkHref}>
            <Plus aria-hidden="true" className="size-4" />
            Create link
          </ButtonLink>
        </PrimaryAction>
      )}
      {buyAirtimeHref && (
        <ButtonLink href={buyAirtimeHref} className="max-wide:hidden">
          <Smartphone aria-hidden="true" className="size-4" />
          Buy airtime
        </ButtonLink>
      )}
    </>
  );
}

const HOUR = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", hour: "numeric", hourCycle: "h23" });
const lagosHour = (now: Date): number => Number(HOUR.format(now));

function greetingAt(hour: number): string {
  if (hour < 12) return "Good morning";
  return hour < 17 ? "Good afternoon" : "Good evening";
}

const firstNameOf = (name: string): string => name.split(/\s+/)[0] ?? name;
