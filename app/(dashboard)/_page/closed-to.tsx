import type { ReactNode } from "react";
import type { Page } from "#app/_people/find-member.ts";
import { Closed } from "#components/page/closed.tsx";
import type { MemberPermission } from "#services/members/index.ts";
import { may, whoMay } from "./may.ts";

/** Returns what a page shows to a reader whose role may not see it: who may. Undefined for all others. */
export function closedTo({ ctx }: Page, permission: MemberPermission, title: string): ReactNode | undefined {
  if (may(ctx, permission)) return undefined;
  return (
    <Closed isPage title={title}>
      <p>Your role does not open this page. {whoMay(ctx, permission).replace("do this", "see it")}</p>
    </Closed>
  );
}
