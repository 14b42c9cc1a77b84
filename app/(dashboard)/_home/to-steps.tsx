import { mayChange } from "#app/(dashboard)/_page/may.ts";
import type { FirstStep } from "#components/home/first-steps.tsx";
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
    mayChange(ctx, "settings:write") && [
      {
        ...{ key: "brand", title: "Show your brand", isDone: done.brand },
        detail: "Your logo, colour and contact on the page where customers pay: they know whom they pay.",
        action: { href: `${base}/settings/brand`, label: "Set up brand" },
      },
    ],
    mayChange(ctx, "team:write") && [
      {
        ...{ key: "invited", title: "Invite your team", isDone: done.invited },
        detail: "Everybody signs in with an account of their own, and sees and does what the role allows.",
        action: { href: `${base}/team`, label: "Invite member" },
      },
    ],
    mayChange(ctx, "keys:write") && developerSteps(done, base),
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

const developerSteps = (done: StepsDone, base: string): FirstStep[] => [
  {
    ...{ key: "keys", title: "Use an API key", isDone: done.keyUsed },
    detail: "Only if your own website or app is to use Oja: its server proves with a key that it is yours.",
    action: { href: `${base}/developers`, label: "API keys" },
  },
  {
    ...{ key: "webhook", title: "Receive a webhook", isDone: done.webhook },
    detail: "Then Oja tells your server at once when money comes.",
    action: { href: `${base}/developers/webhooks`, label: "Webhooks" },
  },
];
