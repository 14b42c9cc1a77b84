import { openApiDocument } from "#app/_http/openapi.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { publicRoute } from "#app/public-route.ts";
import { settings } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";

/** It has 260 KB, which are compressed for each reader. */
const COST = { pages: 20 };

export const dynamic = "force-dynamic";

/** Made once: it takes 20 ms, and is the same for as long as this process lives. */
let document: Uint8Array<ArrayBuffer> | undefined;

/** The API's description, for anybody: it asks for no credentials. */
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
