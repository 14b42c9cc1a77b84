import { openApiDocument } from "#app/api/_http/openapi.ts";
import { refuseOtherThan } from "#app/api/_http/refusals.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { settings } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";

export const dynamic = "force-dynamic";

/** The API's description, for anybody: it asks for no credentials. */
export function GET(): Response {
  const headers = { "Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*", "Request-Id": newId("request") };
  return Response.json(openApiDocument(endpoints, settings().BASE_URL), { headers });
}

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
