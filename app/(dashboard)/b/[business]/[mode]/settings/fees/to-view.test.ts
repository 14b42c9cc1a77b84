import { expect, test } from "vitest";
import { toRates } from "./to-view.ts";

type Rate = NonNullable<Parameters<typeof toRates>[0]>;

const validity = (validUntil: string) =>
  toRates({ isOwn: false, sell: 16_000_000n, buy: 15_000_000n, validUntil: new Date(validUntil) } as Rate).at(-1)?.value;

test("rates say until when they are valid, and those without an end are valid until they are changed", () => {
  expect(validity("2026-12-01T09:00:00Z")).toMatch(/^Until 1 Dec 2026, 10:00/);
  expect(validity("2100-01-01T00:00:00Z")).toBe("Until they are changed");
});
