import { guarded } from "#app/guarded.ts";
import { systemContext } from "#services/context.ts";
import { checkDatabase } from "#services/health/index.ts";

export const dynamic = "force-dynamic";

/** 200 when this process and its database answer. */
export const GET = guarded(async () => {
  await checkDatabase(systemContext("health"));
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
});
