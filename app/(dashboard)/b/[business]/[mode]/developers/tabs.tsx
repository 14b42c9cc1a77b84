import type { Page } from "#app/_people/find-member.ts";
import { type DeveloperPart, developerParts } from "#app/(dashboard)/_page/developer-parts.ts";
import { Tabs } from "#components/ui/tabs.tsx";

/** The pages of developers that the reader may open. */
export function DeveloperTabs({ page: { ctx, base }, current }: { page: Page; current: DeveloperPart["part"] }) {
  return (
    <div className="mb-4">
      <Tabs
        label="Pages of developers"
        tabs={developerParts(ctx).map(({ part, label, path }) => ({ href: `${base}/developers${path}`, label, current: part === current }))}
      />
    </div>
  );
}
