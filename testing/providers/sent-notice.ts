import { until } from "../until.ts";

/** A notice as it is sent: the body, byte for byte, and its headers. */
export interface SentNotice {
  headers: Record<string, string>;
  body: string;
}

/** Banks send a notice again for hours or days. Simulated ones do so often. */
const TRIES = 5;

/** Sends a notice until it is acknowledged, or given up. Sends nothing without an address. */
export async function deliverNotice(url: string | null, { headers, body }: SentNotice): Promise<void> {
  if (url === null) return;
  let tries = 0;
  await until(async () => {
    const answer = await fetch(url, { method: "POST", headers, body }).catch(() => undefined);
    return answer?.status === 200 || ++tries >= TRIES;
  });
}
