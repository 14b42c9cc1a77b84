import { request } from "undici";
import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { sandboxNoticeSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";

const TIMEOUT_MS = 5_000;
const MAX_BACKOFF_S = 60;

/** Sends one notice. Until Oja acknowledges it, it is sent again with a backoff that doubles up to a minute. */
export async function sendNotice(id: bigint): Promise<void> {
  const [notice] = await sql()<Notice[]>`
    update sandbox.notices set attempts = attempts + 1,
      next_attempt_at = now() + least(${MAX_BACKOFF_S}, power(2, least(attempts, 10))) * interval '1 s'
    where id = ${id} and acknowledged_at is null returning path, is_signed, body`;
  if (notice && (await post(notice))) await sql()`update sandbox.notices set acknowledged_at = now() where id = ${id}`;
}

interface Notice {
  path: string;
  is_signed: boolean;
  body: Record<string, unknown>;
}

async function post({ path, is_signed, body: content }: Notice): Promise<boolean> {
  const body = JSON.stringify(content);
  try {
    const reply = await request(`${settings().SANDBOX_URL}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(is_signed && { "x-sandbox-signature": sign(sandboxNoticeSecret(), body) }) },
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

/** Sends at most 50 due notices, ten at once, so that a notice without an answer does not delay the others. */
export async function sendDueNotices(): Promise<void> {
  const due = await sql()<{ id: bigint }[]>`
    select id from sandbox.notices where acknowledged_at is null and next_attempt_at <= now() order by next_attempt_at limit 50`;
  await forEachAtOnce(due, ({ id }) => sendNotice(id));
}
