import { request } from "undici";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { until } from "../until.ts";

/** Calls the sandbox bank's API until it answers: the process that serves it may die, or have no database. */
export async function tellSandbox(webUrl: string, operation: string, content: unknown): Promise<void> {
  const body = JSON.stringify(content);
  await until(async () => {
    try {
      const reply = await request(`${webUrl}/sandbox/bank/${operation}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-sandbox-signature": sign(sandboxRequestSecret(), body) },
        body,
        headersTimeout: 10_000,
      });
      await reply.body.dump();
      return reply.statusCode < 300;
    } catch {
      // The process died, so the call is repeated.
      return false;
    }
  }, 60_000);
}
