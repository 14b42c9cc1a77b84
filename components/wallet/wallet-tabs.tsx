import { Tabs } from "#components/ui/tabs.tsx";

const PARTS = [
  { part: "history", path: "", label: "History" },
  { part: "payouts", path: "/payouts", label: "Payouts" },
  { part: "accounts", path: "/accounts", label: "Accounts" },
  { part: "rules", path: "/rules", label: "Rules" },
] as const;

interface WalletTabsProps {
  /** The path of the wallet. */
  path: string;
  current: (typeof PARTS)[number]["part"];
}

/** The parts of the wallet. */
export function WalletTabs({ path, current }: WalletTabsProps) {
  return (
    <div className="mb-4">
      <Tabs
        label="Parts of the wallet"
        tabs={PARTS.map(({ part, path: end, label }) => ({ href: `${path}${end}`, label, current: part === current }))}
      />
    </div>
  );
}
