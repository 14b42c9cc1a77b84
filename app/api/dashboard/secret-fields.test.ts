import { expect, test } from "vitest";
import { z } from "zod";
import { dashboardEndpoints } from "./endpoints.ts";

test("no key keeps even a hash of a password or a code", () => {
  const asked = dashboardEndpoints.flatMap(({ path, route: { declaration } }) => {
    const { body, replay } = declaration;
    const fields = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
    const secrets = fields.filter((field) => field === "password" || field === "code");
    return replay && secrets.length > 0 ? [{ path, secrets, secretFields: replay.secretFields }] : [];
  });
  expect(asked.map(({ path }) => path)).toContain("/api/dashboard/two-factor/turn-off");
  for (const { path, secrets, secretFields } of asked) expect({ path, secretFields }).toEqual({ path, secretFields: secrets });
});
