import { settings } from "#lib/env.ts";
import { Problem } from "#lib/problem.ts";

/**
 * Refuses a request that a page of another origin sent with our cookie. Browsers name the origin of every write, and most tell a request of
 * the same site from one of the same origin. Throws PERMISSION_DENIED.
 */
export function requireOwnOrigin({ method, headers }: Request): void {
  const own = new URL(settings().DASHBOARD_URL).origin;
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  const isWrite = method !== "GET" && method !== "HEAD";
  if ((site === null || site === "same-origin") && (origin === null ? !isWrite : origin === own)) return;
  throw new Problem("PERMISSION_DENIED", `This request comes from a page of another address. Open the dashboard at ${own}.`);
}

/**
 * Refuses a link that is not on a page of ours. A link sends no `Origin` and no header of ours, so `Sec-Fetch-Site` must say it.
 * Throws METHOD_NOT_ALLOWED for HEAD, which no link sends, and PERMISSION_DENIED.
 */
export function requireOwnLink({ method, headers }: Request): void {
  if (method !== "GET") throw new Problem("METHOD_NOT_ALLOWED", "Use GET here.", { headers: { Allow: "GET" } });
  if (headers.get("sec-fetch-site") === "same-origin") return;
  const own = new URL(settings().DASHBOARD_URL).origin;
  throw new Problem("PERMISSION_DENIED", `This file is downloaded by a click on a page of the dashboard. Open it at ${own}.`);
}
