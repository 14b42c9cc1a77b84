import type { Metadata } from "next";
import { headers } from "next/headers";
import { requireMember } from "#app/_people/require-member.ts";
import { ROLE_WORDS } from "#components/team/role-words.ts";
import { Notice } from "#components/ui/notice.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { DAY_MS } from "#lib/time.ts";
import { listOwnSessions } from "#services/sessions/index.ts";
import { getOwnUser, getTwoFactor } from "#services/users/index.ts";
import { ChangePassword } from "./change-password.tsx";
import { LeaveBusiness } from "./leave-business.tsx";
import { Passkeys } from "./passkeys.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { toSessionsView, toTwoStepView } from "./to-view.ts";
import { TwoStep } from "./two-step.tsx";

export const metadata: Metadata = { title: "Your security" };

export default async function SecurityPage({ params }: PageProps<"/b/[business]/[mode]/security">) {
  const { ctx, workplace, secondFactorMissingSince } = await requireMember(params);
  const [sessions, twoFactor, { email }] = await Promise.all([listOwnSessions(ctx), getTwoFactor(ctx), getOwnUser(ctx)]);
  const now = new Date();
  const { twoStep, passkeys } = toTwoStepView(twoFactor, (await headers()).get("user-agent"), now);
  const own = { merchantId: ctx.merchant.id, email };
  return (
    <div className="flex max-w-[45rem] flex-col gap-8">
      <h1>Your security</h1>
      {secondFactorMissingSince && (
        <Notice tone="warning" title="Turn two-step sign-in on">
          {workplace.businessName} asks its whole team for it. Set up an app or a passkey here: nothing else of this business opens without
          it, from the next sign-in on, and {exactTime(new Date(secondFactorMissingSince.getTime() + DAY_MS))} at the latest.
        </Notice>
      )}
      <ChangePassword own={own} isAppOn={twoFactor.isTotpOn} />
      <TwoStep own={own} {...twoStep} />
      <Passkeys own={own} {...passkeys} />
      <SessionsPanel merchantId={ctx.merchant.id} sessions={toSessionsView(sessions, ctx.sessionId, now)} />
      <LeaveBusiness
        prover={{ ...own, hasPasskey: twoFactor.passkeys.length > 0 }}
        id={workplace.businessId}
        business={workplace.businessName}
        role={ROLE_WORDS[ctx.role].label}
        homeHref={`/${ctx.merchant.mode}`}
      />
    </div>
  );
}
