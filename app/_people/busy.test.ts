import { expect, test } from "vitest";
import { z } from "zod";
import { settings } from "#lib/env.ts";
import { Problem } from "#lib/problem.ts";
import { withDatabase } from "#testing/database.ts";
import { saidBy } from "./form.fixture.ts";
import { formRoute } from "./form-route.ts";
import { jsonRoute } from "./json-route.ts";

withDatabase();

const BUSY = "Many people are signing in just now. Try again in a few seconds.";
const refuse = async () => {
  throw new Problem("RATE_LIMITED", "Too many wait.");
};
const post = (body: string, type: string) => {
  const { origin } = new URL(settings().DASHBOARD_URL);
  return new Request(`${origin}/send`, { method: "POST", headers: { origin, "content-type": type }, body });
};

test("a form that comes while too many passwords wait leads back to its page, which says so and keeps what was typed", async () => {
  const fields = z.object({ email: z.string(), password: z.string() });
  const route = formRoute({ name: "sign-in", fields, kept: ["email"], page: () => "/sign-in" }, refuse);
  const answer = await route(post("email=ada%40shop.example&password=secret", "application/x-www-form-urlencoded"), undefined);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sign-in"]);
  expect(saidBy(answer)).toMatchObject({
    ...{ form: "sign-in", values: { email: "ada@shop.example" }, errors: {} },
    notice: { kind: "danger", text: BUSY },
  });
});

test("a script's request while too many passwords wait gets a message for people", async () => {
  const answer = await jsonRoute(z.object({}), refuse)(post("{}", "application/json"), undefined);
  expect(await answer.json()).toEqual({ problem: BUSY });
});

test("any other failure of a form or a script is answered with 503, without the error's message", async () => {
  const fail = async () => {
    throw new Problem("INTERNAL_ERROR", "Of the inside.");
  };
  const form = formRoute({ name: "sign-in", fields: z.object({}), kept: [], page: () => "/sign-in" }, fail);
  for (const route of [form, jsonRoute(z.object({}), fail)]) {
    const answer = await route(post("{}", "application/json"), undefined);
    expect(answer.status).toBe(503);
    expect(await answer.text()).not.toContain("inside");
  }
});
