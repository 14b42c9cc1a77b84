import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { resolveDueRefunds } from "#services/checkout/index.ts";
import { systemContext } from "#services/context.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { until } from "#testing/until.ts";
import { createProgram } from "./program.ts";

const paystack = withPaystack();
withDatabase();
const app = withApp();
beforeAll(() => {
  paystack.noticeUrl = `${app.url}/api/providers/paystack/notices`;
});

/** Runs a command in this process. What it prints is added to `printed`. */
function oja(...args: string[]): { printed: string[]; ended: Promise<unknown> } {
  const printed: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((text) => void printed.push(String(text)));
  onTestFinished(() => spy.mockRestore());
  return { printed, ended: createProgram().parseAsync(args, { from: "user" }) };
}

test("a round trip says where to send ₦100, when they came and from whom, and that they went back", async () => {
  const { printed, ended } = oja("round-trip", "paystack");
  const number = await until(async () => /^ {2}(\d{10}) {2}/m.exec(printed.join("\n"))?.[1]);
  await paystack.pay(number, 10_000);
  let isOver = false;
  const over = ended.finally(() => {
    isOver = true;
  });
  await until(async () => {
    await sql()`update refunds set next_attempt_at = now() - interval '1 s'`;
    await resolveDueRefunds(systemContext("test"));
    return isOver;
  });
  await over;
  expect(printed.join("\n")).toMatch(
    /^Send exactly ₦100\.00, once, before \d\d:\d\d \(Lagos\), from an account of your own, to\n {2}\d{10} {2}Test Bank\n {2}Paystack Checkout\nNo fee may be taken from the amount\.\nIf this ends early, go on with: npm run oja -- round-trip paystack --reference \w+\n₦100\.00 came after \d+ s, from CHIDI OKAFOR\.\nIt went back after \d+ s\.\nCheck all of it: npm run oja -- check-live paystack$/,
  );
  await expectInvariantsToHold();
});

test("a check says for each claim whether it is true, and names the setting where it is not", async () => {
  const { printed, ended } = oja("check-live", "paystack");
  await expect(ended).rejects.toThrow("Not ready for real money: paystack.");
  expect(printed).toContainEqual("  yes  Paystack takes the key.");
  expect(printed).toContainEqual(expect.stringMatching(/^ {2}NO {3}BASE_URL is a public https address\.\n {7}It is http:/));
});
