import { request } from "undici";
import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { sandboxNoticeSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";

const TIMEOUT_MS = 5_000;
const PUMP_EVERY_MS = 1_000;
const LONGEST_WAIT_S = 60;

/** Tries one notice. It stays due until Oja acknowledges it, with a wait that doubles up to a minute. */
export async function sendNotice(id: bigint): Promise<void> {
  const [notice] = await sql()<{ body: Record<string, unknown> }[]>`
    update sandbox.notices set attempts = attempts + 1,
      next_attempt_at = now() + least(${LONGEST_WAIT_S}, power(2, least(attempts, 10))) * interval '1 s'
    where id = ${id} and acknowledged_at is null returning body`;
  if (notice && (await post(notice.body))) await sql()`update sandbox.notices set acknowledged_at = now() where id = ${id}`;
}

async function post(content: Record<string, unknown>): Promise<boolean> {
  const body = JSON.stringify(content);
  try {
    const reply = await request(`${settings().SANDBOX_URL}/api/providers/sandbox/notices`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-sandbox-signature": sign(sandboxNoticeSecret(), body) },
      body,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    await reply.body.dump();
    return reply.statusCode === 200;
  } catch (error) {
    log().debug({ err: error }, "a sandbox notice did not arrive; it will be sent again");
    return false;
  }
}

async function sendDueNotices(): Promise<void> {
  const due = await sql()<{ id: bigint }[]>`
    select id from sandbox.notices where acknowledged_at is null and next_attempt_at <= now() order by next_attempt_at limit 50`;
  for (const { id } of due) await sendNotice(id);
}

/** Sends what is due, for as long as this process lives. */
export function startNoticePump(): void {
  let running = false;
  setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await sendDueNotices();
    } catch (error) {
      log().warn({ err: error }, "the sandbox could not look for due notices");
    } finally {
      running = false;
    }
  }, PUMP_EVERY_MS).unref();
}
