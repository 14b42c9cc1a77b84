import type { Metadata } from "next";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import type { Page } from "#app/_people/find-member.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { may, mayChange } from "#app/(dashboard)/_page/may.ts";
import { namer } from "#app/(dashboard)/_page/namer.ts";
import { KeyDetail } from "#components/developers/key-detail.tsx";
import { wordsOf } from "#components/developers/permissions-in-words.ts";
import { getApiKey, stateOf } from "#services/api-keys/index.ts";
import type { MemberContext } from "#services/context.ts";
import { keyOwner } from "../../key-owner.ts";
import { type ApiKey, givable } from "../../to-view.ts";
import { KeyActions } from "./key-actions.tsx";
import { endOf, factsOf, lastUseOf } from "./to-view.tsx";

export const metadata: Metadata = { title: "API key" };

export default async function KeyPage({ params }: PageProps<"/b/[business]/[mode]/developers/keys/[id]">) {
  const page = await requireMember(params);
  const closed = closedTo(page, "keys:write", "API key");
  if (closed) return closed;
  const { ctx, base } = page;
  const path = `${base}/developers`;
  const key = await found(getApiKey(ctx, (await params).id));
  const nameOf = await namer(ctx);
  const now = new Date();
  return (
    <>
      <KeyDetail
        backHref={path}
        name={key.name}
        state={stateOf(key)}
        actions={<Actions page={page} apiKey={key} />}
        mayRoll={mayRoll(ctx, key)}
        end={endOf(key, path, now)}
        lastUsed={lastUseOf(key, now)}
        permissions={key.permissions.map((name) => ({ name, words: wordsOf(name) }))}
        addresses={key.allowedIps}
        requestsHref={`${path}/requests?key_id=${key.id}`}
        facts={factsOf(key, nameOf(key.madeBy))}
      />
      {/* After a roll both keys work. The reader waits until no request uses the old one, so its last use is kept up to date. */}
      <LiveRefresh isWaiting={stateOf(key) === "rolled"} />
    </>
  );
}

const mayRoll = (ctx: MemberContext, key: ApiKey): boolean => mayChange(ctx, "keys:write") && stateOf(key) === "active";

async function Actions({ page: { ctx, base }, apiKey }: { page: Page; apiKey: ApiKey }) {
  const { id, name, permissions, allowedIps, version, lastUsedAddress } = apiKey;
  const state = stateOf(apiKey);
  const isOver = state === "ended" || state === "revoked";
  // A suspended business may still revoke a key.
  if (isOver || !may(ctx, "keys:write")) return null;
  return (
    <KeyActions
      owner={await keyOwner(ctx)}
      path={`${base}/developers`}
      apiKey={{
        id,
        name,
        permissions: givable(ctx).filter((given) => permissions.includes(given)),
        allowedIps,
        version,
        lastUsedFrom: lastUsedAddress,
      }}
      offered={givable(ctx)}
      ownAddress={ctx.address ?? ""}
      may={{
        change: mayChange(ctx, "keys:write") && state !== "paused",
        roll: mayRoll(ctx, apiKey),
        resume: mayChange(ctx, "keys:write") && state === "paused",
      }}
    />
  );
}
