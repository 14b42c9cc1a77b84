import { namer } from "#app/(dashboard)/_page/namer.ts";
import { namesOfApiKeys } from "#services/api-keys/index.ts";
import type { MemberContext } from "#services/context.ts";
import type { Caller } from "./to-view.ts";

/** Returns a function that names who sent each of these requests: a key by its name, a member as the team knows them. */
export async function callerNamer(ctx: MemberContext, requests: readonly Caller[]): Promise<(request: Caller) => string> {
  const ids = [...new Set(requests.flatMap(({ apiKeyId }) => apiKeyId ?? []))];
  const [names, nameOf] = await Promise.all([namesOfApiKeys(ctx, ids), namer(ctx)]);
  return ({ apiKeyId, userId }) => {
    if (apiKeyId !== null) return names.get(apiKeyId) ?? "A key";
    return userId === null ? "–" : nameOf({ type: "member", id: userId });
  };
}
