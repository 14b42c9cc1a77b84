import { Tabs } from "#components/ui/tabs.tsx";

const PARTS = [
  { part: "cards", path: "", label: "Cards" },
  { part: "holders", path: "/holders", label: "Cardholders" },
  { part: "spend", path: "/spend", label: "Spend" },
  { part: "operations", path: "/operations", label: "Money" },
] as const;

interface CardsTabsProps {
  /** The path of the cards. */
  path: string;
  current: (typeof PARTS)[number]["part"];
}

/** The lists about cards. */
export function CardsTabs({ path, current }: CardsTabsProps) {
  return (
    <div className="mb-4">
      <Tabs
        label="Lists of cards"
        tabs={PARTS.map(({ part, path: end, label }) => ({ href: `${path}${end}`, label, current: part === current }))}
      />
    </div>
  );
}

/** Keeps the tabs at their height on a list without a button beside its title. */
export const NoAction = () => <span aria-hidden="true" className="min-h-9 max-wide:hidden" />;
