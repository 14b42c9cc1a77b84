import type { Page } from "#app/_people/require-member.ts";
import { may } from "#app/(dashboard)/_page/may.ts";
import { Tabs } from "#components/ui/tabs.tsx";
import type { MemberContext } from "#services/context.ts";
import type { MemberPermission } from "#services/members/index.ts";

interface Part {
  part: "keys" | "webhooks" | "deliveries" | "events" | "requests" | "simulator";
  label: string;
  path: string;
  permission: MemberPermission;
}

const PARTS: readonly Part[] = [
  { part: "keys", label: "Keys", path: "", permission: "keys:write" },
  { part: "webhooks", label: "Webhooks", path: "/webhooks", permission: "webhooks:read" },
  { part: "deliveries", label: "Deliveries", path: "/deliveries", permission: "webhooks:read" },
  { part: "events", label: "Events", path: "/events", permission: "events:read" },
  { part: "requests", label: "Requests", path: "/requests", permission: "requests:read" },
  // No role has this permission in live mode.
  { part: "simulator", label: "Simulator", path: "/simulator", permission: "test:write" },
];

/** Returns the pages of developers that a reader may open. */
export const developerParts = (ctx: MemberContext): readonly Part[] => PARTS.filter(({ permission }) => may(ctx, permission));

/** The pages of developers that the reader may open. */
export function DeveloperTabs({ page: { ctx, base }, current }: { page: Page; current: Part["part"] }) {
  return (
    <div className="mb-4">
      <Tabs
        label="Pages of developers"
        tabs={developerParts(ctx).map(({ part, label, path }) => ({ href: `${base}/developers${path}`, label, current: part === current }))}
      />
    </div>
  );
}
