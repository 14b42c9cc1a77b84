import { expect, test } from "vitest";
import { z } from "zod";
import { dashboardEndpoints } from "./endpoints.ts";

test("every endpoint leaves passwords, codes and passkey answers out of the hash that its Idempotency-Key stores", () => {
  const asked = dashboardEndpoints.flatMap(({ path, route: { declaration } }) => {
    const { body, replay } = declaration;
    const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
    // A browser's answer is a proof where it answers a challenge of ours.
    const isSecret = (field: string) =>
      ["password", "new_password", "code", "challenge"].includes(field) || (field === "response" && fields.includes("challenge"));
    const secrets = fields.filter(isSecret).toSorted();
    return replay && secrets.length > 0 ? [{ path, secrets, secretFields: replay.secretFields?.toSorted() }] : [];
  });
  expect(asked.map(({ path }) => path)).toContain("/api/dashboard/two-factor/turn-off");
  expect(asked.find(({ path }) => path.endsWith("/password"))?.secrets).toEqual(["code", "new_password", "password"]);
  expect(asked.find(({ path }) => path.endsWith("/reveal"))?.secrets).toEqual(["challenge", "password", "response"]);
  for (const { path, secrets, secretFields } of asked) expect({ path, secretFields }).toEqual({ path, secretFields: secrets });
});

test("every POST says how it answers a repeated Idempotency-Key", () => {
  const posts = dashboardEndpoints.filter(({ method }) => method === "post");
  expect(posts.length).toBeGreaterThan(30);
  expect(posts.filter(({ route }) => !route.declaration.replay).map(({ path }) => path)).toEqual([]);
});
