import { Tabs } from "#components/ui/tabs.tsx";

const PARTS = [
  { part: "keys", path: "", label: "Keys" },
  { part: "requests", path: "/requests", label: "Requests" },
] as const;

interface DevelopersTabsProps {
  /** The path of the developers' pages. */
  path: string;
  current: (typeof PARTS)[number]["part"];
}

/** The pages of developers. */
export function DevelopersTabs({ path, current }: DevelopersTabsProps) {
  return (
    <div className="mb-4">
      <Tabs
        label="Pages of developers"
        tabs={PARTS.map(({ part, path: end, label }) => ({ href: `${path}${end}`, label, current: part === current }))}
      />
    </div>
  );
}
