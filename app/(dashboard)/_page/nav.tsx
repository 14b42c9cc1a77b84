import { ArrowLeftRight, CodeXml, CreditCard, House, Link as LinkIcon, ShieldCheck, Smartphone, Wallet } from "lucide-react";
import { Amount } from "#components/ui/amount.tsx";
import type { Money } from "#lib/money.ts";

const ICON = { "aria-hidden": true, className: "size-4 shrink-0" } as const;

/** Returns the parts of the dashboard, for its frame. `developersHref` is undefined for readers who may not open those pages. */
export const navOf = (base: string, available: Money, developersHref: string | undefined) => [
  {
    entries: [
      { label: "Home", phoneLabel: "Home", href: base, segment: null, icon: <House {...ICON} /> },
      {
        ...{ label: "Wallet", href: `${base}/wallet`, segment: "wallet", icon: <Wallet {...ICON} /> },
        figure: <Amount minor={available.minor} currency={available.currency} />,
      },
      { label: "Payment links", phoneLabel: "Links", href: `${base}/links`, segment: "links", icon: <LinkIcon {...ICON} /> },
      { label: "Cards", phoneLabel: "Cards", href: `${base}/cards`, segment: "cards", icon: <CreditCard {...ICON} /> },
      { label: "Top-ups", phoneLabel: "Top-ups", href: `${base}/top-ups`, segment: "top-ups", icon: <Smartphone {...ICON} /> },
      { label: "Transactions", href: `${base}/transactions`, segment: "transactions", icon: <ArrowLeftRight {...ICON} /> },
    ],
  },
  ...(developersHref
    ? [
        {
          label: "Your business",
          entries: [{ label: "Developers", href: developersHref, segment: "developers", icon: <CodeXml {...ICON} /> }],
        },
      ]
    : []),
  {
    label: "You",
    entries: [{ label: "Your security", href: `${base}/security`, segment: "security", icon: <ShieldCheck {...ICON} /> }],
  },
];
