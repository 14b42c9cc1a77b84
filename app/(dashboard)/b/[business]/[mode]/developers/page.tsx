import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf } from "#app/(dashboard)/_page/asked.ts";
import { may, mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { readList } from "#app/(dashboard)/_page/read-list.ts";
import { KeysList } from "#components/developers/keys-list.tsx";
import { Closed } from "#components/page/closed.tsx";
import { listApiKeys } from "#services/api-keys/index.ts";
import { CreateKey } from "./create-key.tsx";
import { keyOwner } from "./key-owner.ts";
import { DeveloperTabs } from "./tabs.tsx";
import { givable, toKeyRow } from "./to-view.ts";

export const metadata: Metadata = { title: "API keys" };

export default async function KeysPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/developers">) {
  const page = await requireMember(params);
  const { ctx, base } = page;
  const tabs = <DeveloperTabs page={page} current="keys" />;
  if (!may(ctx, "keys:write")) {
    return (
      <>
        {tabs}
        <Closed isPage title="API keys">
          <p>
            Your role does not open keys of {ctx.merchant.mode} mode. {whoMay(ctx, "keys:write").replace("do this", "see and make them")}
          </p>
        </Closed>
      </>
    );
  }
  const path = `${base}/developers`;
  const asked = askedOf(await searchParams, []);
  const { items, place } = await readList(path, asked, (request) => listApiKeys(ctx, request));
  return (
    <KeysList
      tabs={tabs}
      rows={items.map((key) => toKeyRow(key, ctx.merchant.mode, path))}
      place={place}
      create={
        mayChange(ctx, "keys:write") && (
          <CreateKey owner={await keyOwner(ctx)} path={path} offered={givable(ctx)} ownAddress={ctx.address ?? ""} />
        )
      }
      now={new Date()}
    />
  );
}
