import { openApiDocument } from "#app/_http/openapi.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { publicRoute } from "#app/public-route.ts";
import { settings } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";

/** The document has 260 KB, and each answer compresses it again. */
const COST = { pages: 20 };

export const dynamic = "force-dynamic";

/** The document takes 20 ms to make and never changes while the process runs, so it is made once. */
let document: Uint8Array<ArrayBuffer> | undefined;

/** The OpenAPI document. It is public and needs no credentials. */
export const GET = publicRoute(() => {
  document ??= new TextEncoder().encode(JSON.stringify(openApiDocument(endpoints, settings().BASE_URL)));
  const headers = {
    "Content-Type": "application/json",
    "Cache-Control": "public, max-age=300",
    "Access-Control-Allow-Origin": "*",
    "Request-Id": newId("request"),
  };
  return new Response(document, { headers });
}, COST);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
