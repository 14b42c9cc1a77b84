import { checkDatabase } from "#services/health/index.ts";

export const dynamic = "force-dynamic";

/** 200 when this process and its database answer. */
export async function GET(): Promise<Response> {
  await checkDatabase();
  return Response.json({ status: "ok" }, { headers: { "Cache-Control": "no-store" } });
}
