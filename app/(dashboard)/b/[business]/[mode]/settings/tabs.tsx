import type { Page } from "#app/_people/find-member.ts";
import { type SettingsPart, settingsParts } from "#app/(dashboard)/_page/settings-parts.ts";
import { Tabs } from "#components/ui/tabs.tsx";

/** The pages of settings that the reader may open. */
export function SettingsTabs({ page: { ctx, base }, current }: { page: Page; current: SettingsPart["part"] }) {
  return (
    <div className="mb-4">
      <Tabs
        label="Pages of settings"
        tabs={settingsParts(ctx).map(({ part, label, path }) => ({ href: `${base}/settings${path}`, label, current: part === current }))}
      />
    </div>
  );
}
