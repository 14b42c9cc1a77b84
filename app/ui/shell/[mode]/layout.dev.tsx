import { ArrowLeftRight, CodeXml, CreditCard, House, Link as LinkIcon, Settings, Smartphone, Users, Wallet } from "lucide-react";
import type { ReactNode } from "react";
import { AlertsFlag } from "#components/shell/alerts-flag.tsx";
import { iconsOf } from "#components/shell/icons.ts";
import { Shell } from "#components/shell/shell.tsx";

const ICON = { "aria-hidden": true, className: "size-4 shrink-0" } as const;

const navOf = (base: string) => [
  {
    entries: [
      { label: "Home", phoneLabel: "Home", href: base, segment: null, icon: <House {...ICON} /> },
      { label: "Wallet", href: `${base}/wallet`, segment: "wallet", icon: <Wallet {...ICON} />, figure: "₦412,900" },
      { label: "Payment links", phoneLabel: "Links", href: `${base}/links`, segment: "links", icon: <LinkIcon {...ICON} /> },
      { label: "Cards", phoneLabel: "Cards", href: `${base}/cards`, segment: "cards", icon: <CreditCard {...ICON} /> },
      { label: "Top-ups", phoneLabel: "Top-ups", href: `${base}/top-ups`, segment: "top-ups", icon: <Smartphone {...ICON} /> },
      { label: "Transactions", href: `${base}/transactions`, segment: "transactions", icon: <ArrowLeftRight {...ICON} /> },
    ],
  },
  {
    label: "Business",
    entries: [
      { label: "Developers", href: `${base}/developers`, segment: "developers", icon: <CodeXml {...ICON} /> },
      { label: "Team", href: `${base}/team`, segment: "team", icon: <Users {...ICON} /> },
      { label: "Settings", href: `${base}/settings`, segment: "settings", icon: <Settings {...ICON} /> },
    ],
  },
];

const modeIn = (text: string) => (text === "live" ? "live" : "test");

interface Props {
  params: Promise<{ mode: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: Props) {
  return { icons: iconsOf(modeIn((await params).mode)) };
}

export default async function ShellExample({ params, children }: Props) {
  const mode = modeIn((await params).mode);
  const base = `/ui/shell/${mode}`;
  return (
    <Shell
      base={base}
      mode={mode}
      business={{ id: "biz_1", name: "Ada's Store" }}
      businesses={[
        { id: "biz_1", name: "Ada's Store", role: "Owner", href: base },
        { id: "biz_2", name: "Adébáyọ̀ & Daughters General Merchandise Nigeria Limited", role: "Developer", href: base },
      ]}
      user={{ name: "Ada Okafor", email: "ada@example.com" }}
      nav={navOf(base)}
      accountHref="/ui"
      signOutAction="/sign-out"
      alerts={<AlertsFlag count={2} hasMore={false} href={base} />}
    >
      {children}
    </Shell>
  );
}
