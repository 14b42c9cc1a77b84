import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { dashboardEndpoints } from "#app/api/dashboard/endpoints.ts";
import { endpoints } from "#app/api/v1/endpoints.ts";
import { ChangeApiKey } from "#services/api-keys/index.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase();
const app = withApp();

const fetchDocument = async () => (await fetch(`${app.url}/api/v1/openapi.json`)).json();

test("the OpenAPI document needs no credentials and describes every route of the folder, and no other", async () => {
  const routes = globSync("app/api/v1/**/route.ts")
    .map(
      (file) =>
        `/${file
          .replace(/^app\//, "")
          .replace(/\/route\.ts$/, "")
          .replaceAll(/\[(\w+)\]/g, "{$1}")}`,
    )
    .filter((path) => !path.includes("[...") && !path.endsWith("openapi.json"));
  const document = await fetchDocument();
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths).sort()).toEqual(routes.sort());
  for (const [path, operations] of Object.entries<object>(document.paths)) {
    const file = `app${path.replaceAll("{", "[").replaceAll("}", "]")}/route.ts`;
    const exported = [...readFileSync(file, "utf8").matchAll(/^export const (GET|POST|PUT|PATCH|DELETE) = /gm)].map(([, method]) => method);
    expect({
      path,
      methods: Object.keys(operations)
        .map((method) => method.toUpperCase())
        .toSorted(),
    }).toEqual({ path, methods: exported.toSorted() });
  }
});

test("the OpenAPI document names the bounds of a body and the errors of an operation", async () => {
  const document = await fetchDocument();
  expect(document.components.schemas.CreatePaymentLink.properties.amount).toMatchObject({ minimum: 100, maximum: 10_000_000 });
  const { responses } = document.paths["/api/v1/checkout/create"].post;
  expect(Object.keys(responses).sort()).toEqual(["201", "400", "401", "403", "409", "413", "415", "422", "429", "500", "502", "503"]);
});

test("a PATCH accepts null exactly where the document's schema has null, and the descriptions say so", async () => {
  const document = await fetchDocument();
  const patches = [...endpoints, ...dashboardEndpoints].filter(({ method }) => method === "patch");
  expect(patches.length).toBeGreaterThan(2);
  for (const { path, route } of patches) {
    if (!(route.declaration.body instanceof z.ZodObject)) throw new Error(`${path} has no object`);
    for (const [name, schema] of Object.entries<z.ZodType>(route.declaration.body.shape)) {
      const { type, anyOf } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
      const hasNull = [type, ...(anyOf ?? []).map((each) => each.type)].flat().includes("null");
      expect([path, name, schema.safeParse(null).success]).toEqual([path, name, hasNull]);
    }
  }
  expect(document.info.description).toContain("In a PATCH `null` clears a field whose schema has null, and any other field refuses it.");
  expect(document.components.schemas.ChangeWebhookEndpoint.properties.event_types.description).toContain("`null` is refused");
  expect(ChangeApiKey.shape.allowed_ips.meta()?.description).toContain("`null` is refused");
});

test("every POST endpoint declares how it replays", () => {
  for (const { method, route } of endpoints) if (method === "post") expect(route.declaration.replay).toBeDefined();
});
