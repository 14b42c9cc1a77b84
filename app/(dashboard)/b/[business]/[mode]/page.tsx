import type { Metadata } from "next";
import { Suspense } from "react";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { AlertsSeen } from "#app/(dashboard)/_home/alerts-seen.tsx";
import { HideFirstSteps } from "#app/(dashboard)/_home/hide-first-steps.tsx";
import { Latest } from "#app/(dashboard)/_home/latest.tsx";
import { readNeeds } from "#app/(dashboard)/_home/read-needs.ts";
import { readSteps } from "#app/(dashboard)/_home/read-steps.ts";
import { toNeeds } from "#app/(dashboard)/_home/to-needs.ts";
import { toSteps } from "#app/(dashboard)/_home/to-steps.tsx";
import { daysOfVolume, toVolume } from "#app/(dashboard)/_home/to-volume.ts";
import { notSetUp, waysOf } from "#app/(dashboard)/_home/ways.ts";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { FirstSteps } from "#components/home/first-steps.tsx";
import { Home } from "#components/home/home.tsx";
import { LatestLoading } from "#components/home/latest.tsx";
import { lagosDay } from "#lib/time.ts";
import { readFigures } from "#services/figures/index.ts";
import { getWallet } from "#services/ledger/index.ts";
import { getOwnUser } from "#services/users/index.ts";

export const metadata: Metadata = { title: "Home" };

export default async function HomePage({ params }: PageProps<"/b/[business]/[mode]">) {
  const { ctx, base } = await requireMember(params);
  const now = new Date();
  const today = lagosDay(now);
  const [user, wallet, figures, found, done] = await Promise.all([
    getOwnUser(ctx),
    getWallet(ctx),
    readFigures(ctx, daysOfVolume(today)),
    readNeeds(ctx, now),
    readSteps(ctx),
  ]);
  const { needs, hasMore } = toNeeds(found, wallet, { base, now });
  const steps = done ? toSteps(done, ctx, base) : [];
  const hasStepsLeft = steps.some(({ isDone }) => !isDone);
  const isNew = done !== undefined && figures.figures.length === 0 && !(done.link || done.cardholder || done.purchase);
  const can = waysOf(ctx);
  const allHref = `${base}/transactions`;
  return (
    <>
      <Home
        {...{ needs, now, isNew, name: user.name, hasMoreNeeds: hasMore, notSetUp: notSetUp(ctx) }}
        wallet={{ ...wallet, href: `${base}/wallet` }}
        volume={ctx.merchant.areas.includes("checkout") ? toVolume(figures, today) : undefined}
        firstSteps={
          hasStepsLeft && <FirstSteps steps={steps} putAway={mayChange(ctx, "settings:write") && <HideFirstSteps />} isPage={isNew} />
        }
        latest={
          <Suspense fallback={<LatestLoading allHref={allHref} />}>
            <Latest {...{ ctx, base, now }} />
          </Suspense>
        }
        createLinkHref={can.createLinks ? `${base}/links/new` : undefined}
        buyAirtimeHref={can.buy ? `${base}/top-ups/airtime` : undefined}
      />
      {found.newestAlertId !== null && <AlertsSeen upTo={found.newestAlertId} />}
      <LiveRefresh />
    </>
  );
}
