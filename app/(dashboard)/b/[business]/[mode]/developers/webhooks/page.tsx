import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { WebhookByCurl } from "#components/developers/webhook-by-curl.tsx";
import { WebhooksList } from "#components/developers/webhooks-list.tsx";
import { settings } from "#lib/env.ts";
import { countLastDay } from "#services/webhooks/index.ts";
import { DeveloperTabs } from "../tabs.tsx";
import { allEndpoints } from "./all-endpoints.ts";
import { CreateEndpoint } from "./create-endpoint.tsx";
import { toEndpointRow } from "./to-view.tsx";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage({ params }: PageProps<"/b/[business]/[mode]/developers/webhooks">) {
  const page = await requireMember(params);
  const closed = closedTo(page, "webhooks:read", "Webhooks");
  if (closed) return closed;
  const { ctx, base } = page;
  const path = `${base}/developers/webhooks`;
  const [endpoints, days] = await Promise.all([allEndpoints(ctx), countLastDay(ctx)]);
  const mayCreate = mayChange(ctx, "webhooks:write");
  const { id, mode } = ctx.merchant;
  return (
    <WebhooksList
      tabs={<DeveloperTabs page={page} current="webhooks" />}
      rows={endpoints.map((endpoint) => toEndpointRow(endpoint, days, path))}
      create={mayCreate && <CreateEndpoint merchantId={id} path={path} mode={mode} />}
      command={mayCreate && mode === "test" && <WebhookByCurl apiUrl={`${settings().BASE_URL}/api/v1`} />}
    />
  );
}
