import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { type BulkOrder, getBulkOrder } from "#services/bulk/index.ts";
import { systemContext } from "#services/context.ts";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { aMember, callAs, dashboard, enter, untilAlive } from "./people.ts";
import { aBuyer, button } from "./top-ups.ts";

const availableOf = async (page: Page): Promise<number> => (await callAs(page, "GET", "/api/v1/wallet")).data.available;

async function upload(page: Page, lines: string[]): Promise<string> {
  await page.goto(dashboard("/test/top-ups/bulk"));
  await untilAlive(page);
  await page.getByLabel("CSV file").setInputFiles({ name: "phones.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\r\n")) });
  await button(page, "Check the file").click();
  await page.waitForURL(/\/bulk\/blk_/);
  await untilAlive(page);
  return page.url().split("/").at(-1) ?? "";
}

/** Returns how many rows of a bulk order have each status. */
async function countsOf(id: string): Promise<BulkOrder["counts"]> {
  const [order] = await sql()<{ merchant_id: string }[]>`select merchant_id from bulk_orders where id = ${id}`;
  const ctx = { ...systemContext("journey"), merchant: { id: order?.merchant_id ?? "", mode: "test" as const } };
  return (await getBulkOrder(ctx, id)).counts;
}
/** No number ends in 0000: the sandbox cannot deliver to those. */
const phone = (n: number) => `0803${String(1_000_001 + n * 7)}`;

/** 50 rows: 44 to buy, 4 that are wrong, and 2 that repeat the first. */
const FIFTY = [
  "Phone number,Amount,Network",
  ...Array.from({ length: 44 }, (_, n) => `${phone(n)},"₦100.00",mtn`),
  ...["12345,100,mtn", "08031234567,5,mtn", "2.34803E+12,100,mtn", "08031234567,100,nitel"],
  ...[`${phone(0)},100,mtn`, `${phone(0)},100,mtn`],
];

test("a file of 50 rows is bought and downloaded, and no row is bought twice or charged in vain although the worker is killed", async ({
  page,
}) => {
  test.slow();
  await aBuyer(page, 20_000);
  const id = await upload(page, FIFTY);
  await expect(page.getByText("4 rows cannot be bought")).toBeVisible();
  await page.getByRole("checkbox", { name: /Line 50/ }).check();
  await button(page, "Buy 45 top-ups for ₦4,500.00").dblclick();
  await expect(page.getByText("Buying", { exact: true })).toBeVisible();
  await expect.poll(async () => (await countsOf(id)).bought, { intervals: [20], timeout: 60_000 }).toBeGreaterThan(4);
  process.kill(Number(readFileSync(process.env.E2E_WORKER_PID_FILE ?? "", "utf8")), "SIGKILL");
  await page.reload();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible({ timeout: 120_000 });
  const counts = await countsOf(id);
  // The worker may be killed after a purchase is stored and before it is ordered. The aggregator has no such order, so the purchase fails.
  const { bought: delivered, failed } = counts;
  expect(failed).toBeLessThanOrEqual(1);
  const reasons = await sql()`select failure_reason from purchases where status = 'failed' and merchant_id = (
    select merchant_id from bulk_orders where id = ${id})`;
  expect(reasons.map(({ failure_reason }) => failure_reason)).toEqual(Array(failed).fill("The provider never received it."));
  expect(counts).toMatchObject({ bought: 45 - failed, invalid: 4, skipped: 1, ready: 0, processing: 0 });
  const bought = await sql()`select recipient, count(*)::int as times from purchases where merchant_id = (
    select merchant_id from bulk_orders where id = ${id}) group by 1 having count(*) > 1`;
  expect(bought).toHaveLength(1);
  expect(bought[0]?.times).toBe(2);
  expect(await availableOf(page)).toBe(20_000 - 100 * delivered);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  const lines = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(51);
  expect(lines.filter((line) => line.includes("Delivered"))).toHaveLength(delivered);
});

test("Stop pauses the file, and going on buys the rest once", async ({ page }) => {
  test.slow();
  await aBuyer(page, 20_000);
  const id = await upload(page, ["phone,amount,network", ...Array.from({ length: 60 }, (_, n) => `${phone(100 + n)},100,mtn`)]);
  await button(page, "Buy 60 top-ups for ₦6,000.00").click();
  await button(page, "Stop buying").click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
  expect((await countsOf(id)).ready).toBeGreaterThan(0);
  await button(page, /^Go on and buy/).click();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible({ timeout: 120_000 });
  expect((await countsOf(id)).bought).toBe(60);
  expect(await availableOf(page)).toBe(20_000 - 6_000);
});

test("a file without the needed columns, and one that the wallet does not cover, say what to do", async ({ page }) => {
  await aBuyer(page, 20_000);
  await page.goto(dashboard("/test/top-ups/bulk"));
  await untilAlive(page);
  await button(page, "Check the file").click();
  await expect(page.getByText("Choose a file first.")).toBeVisible();
  await page.getByLabel("CSV file").setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer: Buffer.from("name\r\nNgozi") });
  await button(page, "Check the file").click();
  await expect(page.getByRole("alert").filter({ hasText: "Name the columns" })).toBeVisible();
  await upload(page, ["phone,amount,network", "08031234567,50000,mtn"]);
  await expect(page.getByText("Your wallet lacks ₦30,000.00 for this.")).toBeVisible();
  await expect(button(page, "Buy 1 top-up for ₦50,000.00")).toBeDisabled();
});

test("a file in UTF-16 is read as it is, and one in Windows-1252 and a workbook say how to save them", async ({ page }) => {
  await aBuyer(page, 20_000);
  await page.goto(dashboard("/test/top-ups/bulk"));
  await untilAlive(page);
  const check = async (name: string, mimeType: string, buffer: Buffer) => {
    await page.getByLabel("CSV file").setInputFiles({ name, mimeType, buffer });
    await button(page, "Check the file").click();
  };
  const text = `phone\tamount\tnetwork\tname\r\n${phone(900)}\t100\tmtn\tRen\u00e9`;
  await check("old.csv", "text/csv", Buffer.from(text, "latin1"));
  await expect(page.getByRole("alert").filter({ hasText: "The file is written in Windows-1252" })).toBeVisible();
  await check("book.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", Buffer.from("PK\u0003\u0004\u0014"));
  await expect(page.getByRole("alert").filter({ hasText: "This is a workbook of a spreadsheet" })).toBeVisible();
  await check("unicode.txt", "text/plain", Buffer.from(`\ufeff${text}`, "utf16le"));
  await page.waitForURL(/\/bulk\/blk_/);
  await expect(button(page, "Buy 1 top-up for ₦100.00")).toBeVisible();
});

test("the pages of files fit a phone and a desktop, in both themes and with large text, and axe finds nothing", async ({
  page,
  browser,
}) => {
  test.slow();
  const email = await aBuyer(page, 20_000);
  const id = await upload(page, FIFTY);
  await inEveryWidth(browser, async (look, name) => {
    await enter(look, email);
    for (const path of ["/test/top-ups/bulk", "/test/top-ups/bulk/ids", `/test/top-ups/bulk/${id}`]) {
      await look.goto(dashboard(path), { waitUntil: "networkidle" });
      await expectGoodLook(look, `${path.replace(id, "draft")} ${name}`);
    }
  });
});

test("a file of another business is not found", async ({ page, browser }) => {
  await aBuyer(page, 20_000);
  const id = await upload(page, ["phone,amount", "08031234567,100"]);
  const other = await browser.newPage();
  await aMember(other);
  expect((await other.goto(dashboard(`/test/top-ups/bulk/${id}`)))?.status()).toBe(404);
});
