import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BadSettings } from "#lib/env.ts";
import { Problem } from "#lib/problem.ts";
import { Registry } from "./registry.ts";

// A process reads its settings once. These tests change them, so each call reads them again.
vi.mock("#lib/env.ts", async (original) => {
  const env = await original<typeof import("#lib/env.ts")>();
  return { ...env, settings: () => env.readSettings(process.env) };
});

interface Named {
  name: string;
}
const registry = (...names: string[]) => new Registry<Named>("bank", Object.fromEntries(names.map((name) => [name, () => ({ name })])));
const merchant = (mode: "test" | "live", bank: string | null) => ({ mode, bank, issuer: null, aggregator: null });
const refusal = (ask: () => unknown) => {
  try {
    ask();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error("it was not refused");
};

beforeEach(() => {
  process.env.BASE_URL = "https://oja.example";
  process.env.DATABASE_URL = "postgres://localhost/none";
});
afterEach(() => {
  delete process.env.OJA_LIVE_BANK;
  delete process.env.OJA_TEST_MODE;
  delete process.env.BASE_URL;
  delete process.env.DATABASE_URL;
});

test("a merchant gets the provider that is bound to it, and the same instance each time", () => {
  const banks = registry("sandbox", "sandbox-2", "bank-1");
  const bank = banks.for(merchant("test", "sandbox-2"));
  expect(bank.name).toBe("sandbox-2");
  expect(banks.named("sandbox-2")).toBe(bank);
  expect(banks.for(merchant("live", "bank-1")).name).toBe("bank-1");
});

test("without a bound provider, a live merchant gets the provider of the setting and a test merchant gets none", () => {
  const banks = registry("sandbox", "bank-1", "bank-2");
  expect(refusal(() => banks.for(merchant("live", null))).message).toContain("Ask the operator");
  process.env.OJA_LIVE_BANK = "bank-2";
  expect(banks.for(merchant("live", null)).name).toBe("bank-2");
  expect(refusal(() => banks.for(merchant("test", null))).code).toBe("PROVIDER_UNAVAILABLE");
});

test("a provider of one mode serves no merchant of the other mode, whatever the database says", () => {
  const banks = registry("sandbox", "bank-1");
  expect(refusal(() => banks.for(merchant("live", "sandbox"))).code).toBe("PROVIDER_UNAVAILABLE");
  expect(refusal(() => banks.for(merchant("test", "bank-1"))).code).toBe("PROVIDER_UNAVAILABLE");
});

test("properties of Object are no provider names, and test providers are unknown when test mode is off", () => {
  const banks = registry("sandbox");
  for (const name of ["toString", "constructor", "__proto__", ""]) expect(banks.named(name)).toBeUndefined();
  expect(banks.all()).toHaveLength(1);
  process.env.OJA_TEST_MODE = "0";
  expect(banks.named("sandbox")).toBeUndefined();
  expect(banks.all()).toHaveLength(0);
});

test("a setting that names no live provider stops the start with an error that lists the live providers", () => {
  process.env.OJA_LIVE_BANK = "sandbox";
  expect(() => registry("sandbox").requireKnownDefault()).toThrow(BadSettings);
  expect(() => registry("sandbox").requireKnownDefault()).toThrow(/OJA_LIVE_BANK must be empty/);
  expect(() => registry("sandbox", "bank-1").requireKnownDefault()).toThrow(/one of bank-1/);
  process.env.OJA_LIVE_BANK = "bank-1";
  expect(() => registry("sandbox", "bank-1").requireKnownDefault()).not.toThrow();
});

test("a provider whose settings are empty is not offered, and a setting that names it stops the start", () => {
  const banks = new Registry<Named>("bank", { "bank-1": () => undefined, "bank-2": () => ({ name: "bank-2" }) });
  expect(banks.named("bank-1")).toBeUndefined();
  expect(banks.all().map(({ name }) => name)).toEqual(["bank-2"]);
  expect(refusal(() => banks.for(merchant("live", "bank-1"))).code).toBe("PROVIDER_UNAVAILABLE");
  process.env.OJA_LIVE_BANK = "bank-1";
  expect(() => banks.requireKnownDefault()).toThrow(/OJA_LIVE_BANK is bank-1, whose settings are empty/);
});

test("a provider that cannot be made is left out of a sweep, and the others are in it", () => {
  const broken = () => {
    throw new Error("its settings are empty");
  };
  const banks = new Registry<Named>("bank", {
    sandbox: () => ({ name: "sandbox" }),
    "bank-1": broken,
    "bank-2": () => ({ name: "bank-2" }),
  });
  expect(banks.all().map(({ name }) => name)).toEqual(["sandbox", "bank-2"]);
});
