import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { DIRECT_HEADER, TARGET_HEADER } from "#lib/page-headers.ts";
import type { Refusal } from "./border.ts";

/** Returns whether a request is for a page of React's, and not for a route of ours that answers by itself. */
export type IsPage = (request: Pick<IncomingMessage, "url">) => boolean;

/** Headers in which a proxy names the client that it forwards. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/** Returns whether no proxy says that it has forwarded a request. */
export const isDirectRequest = ({ headers }: IncomingMessage): boolean => !FORWARDING.some((name) => headers[name] !== undefined);

/**
 * Prepares a request for a page: adds its address, which React's server components do not see otherwise, and a policy with a new nonce. Next
 * puts the nonce of the request's policy into its own scripts. In development there is no policy, because Next's tools use `eval`.
 */
export function preparePage(
  request: IncomingMessage,
  response: ServerResponse,
  { dev, isDirect }: { dev: boolean; isDirect: boolean },
): void {
  request.headers[TARGET_HEADER] = request.url?.replace(ROUTER_PARAMETER, "");
  if (isDirect) request.headers[DIRECT_HEADER] = "1";
  else delete request.headers[DIRECT_HEADER];
  // With `no-referrer`, browsers would send forms with `Origin: null`.
  response.setHeader("Referrer-Policy", "same-origin");
  if (dev) return;
  const nonce = randomBytes(16).toString("base64");
  const policy = policyWith(nonce);
  Object.assign(request.headers, { "x-nonce": nonce, "content-security-policy": policy });
  response.setHeader("Content-Security-Policy", policy);
}

const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // The preview of the payer's page, which shows the typed values of a form.
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Next's router adds this parameter at the end, so that caches keep its answers apart. */
const ROUTER_PARAMETER = /[?&]_rsc=[^&]*$/;

/** Headers with which Next's router in the browser asks for a part of a page. */
const ROUTER_HEADERS = ["rsc", "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree", "next-url"];
const STATE_TREE = "next-router-state-tree";
const MAX_ROUTER_CHARACTERS = 4_096;

/** Returns the headers of the browser's router, without those that Next would answer with a 500. */
export function routerHeaders({ headers }: Pick<IncomingMessage, "headers">): Record<string, string> {
  const given = ROUTER_HEADERS.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" && value.length <= MAX_ROUTER_CHARACTERS ? [[name, value] as const] : [];
  });
  const { [STATE_TREE]: tree, ...others } = Object.fromEntries(given);
  return tree !== undefined && isStateTree(tree) ? { ...others, [STATE_TREE]: tree } : others;
}

function isStateTree(text: string): boolean {
  try {
    return parseAndValidateFlightRouterState(text) !== undefined;
  } catch {
    // The router did not write this text.
    return false;
  }
}

/** Returns a refusal of a request that writes to a page, because pages are read only and forms have paths of their own. */
export const refusalOfWrite = ({ method = "" }: Pick<IncomingMessage, "method">): Refusal | undefined =>
  method === "GET" || method === "HEAD" ? undefined : { code: "METHOD_NOT_ALLOWED", message: "Use GET or HEAD here." };
