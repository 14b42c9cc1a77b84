import { guarded } from "#app/guarded.ts";
import { systemContext } from "#services/context.ts";
import { checkDatabase } from "#services/health/index.ts";

export const dynamic = "force-dynamic";

/** Returns 200 when this process and its database work, and 503 otherwise. */
export const GET = guarded(async () => {
  await checkDatabase(systemContext("health"));
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
});
