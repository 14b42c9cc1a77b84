import type { ReactNode } from "react";
import type { Page } from "#app/_people/find-member.ts";
import { Closed } from "#components/page/closed.tsx";
import type { MemberPermission } from "#services/members/index.ts";
import { may, whoMay } from "./may.ts";

/** Returns a notice for a reader whose role may not see the page; it names the roles that may. Undefined for all other readers. */
export function closedTo({ ctx }: Page, permission: MemberPermission, title: string): ReactNode | undefined {
  if (may(ctx, permission)) return undefined;
  return (
    <Closed isPage title={title}>
      <p>Your role does not open this page. {whoMay(ctx, permission).replace("do this", "see it")}</p>
    </Closed>
  );
}
