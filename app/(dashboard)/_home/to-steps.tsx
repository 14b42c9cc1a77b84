import { mayChange } from "#app/(dashboard)/_page/may.ts";
import type { FirstStep } from "#components/home/first-steps.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { MemberContext } from "#services/context.ts";
import type { StepsDone } from "./read-steps.ts";
import { waysOf } from "./ways.ts";

/** Returns the first steps that the reader can take in this business and mode. */
export function toSteps(done: StepsDone, ctx: MemberContext, base: string): FirstStep[] {
  const can = waysOf(ctx);
  const steps: (FirstStep[] | false)[] = [
    can.createLinks && linkSteps(done, ctx, base),
    can.buy && [
      {
        ...{ key: "purchase", title: "Buy a top-up", isDone: done.purchase },
        detail: "Airtime, data, cable TV, light and exam pins, paid from your wallet.",
        action: { href: `${base}/top-ups/airtime`, label: "Buy airtime" },
      },
    ],
    can.addCardholders && [
      {
        ...{ key: "cardholder", title: "Add a cardholder", isDone: done.cardholder },
        detail: "A person who gets dollar cards. The identity is checked first.",
        action: { href: `${base}/cards/holders`, label: "Add cardholder" },
      },
    ],
    [
      {
        ...{ key: "two-factor", title: "Turn on two-step sign-in", isDone: done.twoFactor },
        detail: "Then your password alone opens nothing.",
        action: { href: `${base}/security`, label: "Turn on" },
      },
    ],
    mayChange(ctx, "keys:write") && [
      {
        ...{ key: "keys", title: "Get API keys", isDone: done.keys },
        detail: <HowToGetKeys merchantId={ctx.merchant.id} mode={ctx.merchant.mode} />,
      },
    ],
  ];
  return steps.flatMap((some) => some || []);
}

const linkSteps = (done: StepsDone, { merchant }: MemberContext, base: string): FirstStep[] => [
  {
    ...{ key: "link", title: "Create a payment link", isDone: done.link },
    detail: "It asks one customer for one amount. Send it by WhatsApp, SMS or as a QR code.",
    action: { href: `${base}/links/new`, label: "Create link" },
  },
  {
    ...{ key: "payment", title: "Receive a payment", isDone: done.payment },
    detail:
      merchant.mode === "test" ? "Open the page of your link and press Simulate: play money pays it." : "It shows here within seconds.",
    action: done.link ? { href: `${base}/links`, label: "Open your links" } : undefined,
  },
];

function HowToGetKeys({ merchantId, mode }: { merchantId: string; mode: "test" | "live" }) {
  const command = `npm run oja -- create-key ${merchantId}`;
  return (
    <>
      Only if your own website or app is to use this account. Ask the people who run this service for a pair of {mode} keys, and send them
      the command that makes it:
      <span className="flex items-center gap-1">
        <code className="min-w-0 font-mono wrap-anywhere">{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </span>
    </>
  );
}
