import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { openSecrets } from "#services/vtu/delivery.ts";
import { aClaimedPurchase, aMeter, aVtuMerchant, currentRow } from "#services/vtu/vtu.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { withTwoOperators } from "./operators.fixture.ts";
import { createProgram } from "./program.ts";

withDatabase();
withApp();
const operators = withTwoOperators();

async function run(...words: string[]): Promise<string> {
  const printed = vi.spyOn(console, "log").mockImplementation(() => {});
  await createProgram().parseAsync(words, { from: "user" });
  const lines = printed.mock.calls.flat().join("\n");
  printed.mockRestore();
  return lines;
}

/** Has two operators settle a purchase as delivered, with a file of these lines. */
async function deliver(purchase: string, lines: string): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), "oja-")), "delivery");
  await writeFile(file, lines);
  const words = ["--outcome", "delivered", "--evidence", "Ticket 4711", "--reason", "They checked.", "--delivery", file];
  expect(await operators.decide(run, "vtu-settle", purchase, ...words)).toContain(
    `is carried out: Settle purchase ${purchase}, which is processing, as delivered.`,
  );
}

test("a purchase is settled with the tokens or the PINs of a file, as the provider wrote them", async () => {
  const shop = await aVtuMerchant();
  const meter = await aClaimedPurchase(shop, { service: "electricity", variant: "Prepaid", recipient: aMeter() });
  await deliver(meter.id, "1234-5678-9012-3456-7890\n\n 0987 6543 2109 8765 4321 \r\n");
  expect(openSecrets(await currentRow(meter)).tokens).toEqual(["12345678901234567890", "09876543210987654321"]);
  const exam = await aClaimedPurchase(shop, { service: "exam", recipient: null, quantity: 2, unitPrice: 50_000n, amount: 100_000n });
  await deliver(exam.id, "WRN1, 1234-5678\n\nWRN2,2345\n");
  expect(openSecrets(await currentRow(exam))).toMatchObject({
    tokens: [],
    pins: [
      { serial: "WRN1", pin: "1234-5678" },
      { serial: "WRN2", pin: "2345" },
    ],
  });
  expect(await currentRow(exam)).toMatchObject({ status: "success", charged: 100_000n });
});
