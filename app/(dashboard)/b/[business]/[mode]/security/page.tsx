import type { Metadata } from "next";
import { headers } from "next/headers";
import { requireMember } from "#app/_people/require-member.ts";
import { listOwnSessions } from "#services/sessions/index.ts";
import { getOwnUser, getTwoFactor } from "#services/users/index.ts";
import { Passkeys } from "./passkeys.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { toSessionsView, toTwoStepView } from "./to-view.ts";
import { TwoStep } from "./two-step.tsx";

export const metadata: Metadata = { title: "Your security" };

export default async function SecurityPage({ params }: PageProps<"/b/[business]/[mode]/security">) {
  const { ctx } = await requireMember(params);
  const [sessions, twoFactor, { email }] = await Promise.all([listOwnSessions(ctx), getTwoFactor(ctx), getOwnUser(ctx)]);
  const now = new Date();
  const { twoStep, passkeys } = toTwoStepView(twoFactor, (await headers()).get("user-agent"), now);
  const own = { merchantId: ctx.merchant.id, email };
  return (
    <div className="flex max-w-[45rem] flex-col gap-8">
      <h1>Your security</h1>
      <TwoStep own={own} {...twoStep} />
      <Passkeys own={own} {...passkeys} />
      <SessionsPanel merchantId={ctx.merchant.id} sessions={toSessionsView(sessions, ctx.sessionId, now)} />
    </div>
  );
}
