import {
  ArrowLeftRight,
  CodeXml,
  CreditCard,
  House,
  Link as LinkIcon,
  Settings,
  ShieldCheck,
  Smartphone,
  Users,
  Wallet,
} from "lucide-react";
import { Amount } from "#components/ui/amount.tsx";
import type { Money } from "#lib/money.ts";

const ICON = { "aria-hidden": true, className: "size-4 shrink-0" } as const;

/** The pages of the business itself. Each is undefined for readers who may not open it. */
interface OwnPages {
  developers: string | undefined;
  team: string | undefined;
  settings: string | undefined;
}

const ofBusiness = ({ developers, team, settings }: OwnPages) => [
  ...(developers ? [{ label: "Developers", href: developers, segment: "developers", icon: <CodeXml {...ICON} /> }] : []),
  ...(team ? [{ label: "Team", href: team, segment: "team", icon: <Users {...ICON} /> }] : []),
  ...(settings ? [{ label: "Settings", href: settings, segment: "settings", icon: <Settings {...ICON} /> }] : []),
];

/** Returns the parts of the dashboard, for its frame. */
export const navOf = (base: string, available: Money, own: OwnPages) => [
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
  ...(ofBusiness(own).length > 0 ? [{ label: "Your business", entries: ofBusiness(own) }] : []),
  ofPerson(base),
];

/** Returns the one part of the dashboard that opens for a member who must set up a second factor first. */
export const lockedNavOf = (base: string) => [ofPerson(base)];

const ofPerson = (base: string) => ({
  label: "You",
  entries: [{ label: "Your security", href: `${base}/security`, segment: "security", icon: <ShieldCheck {...ICON} /> }],
});
