import { expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { buyProduct } from "../vtu/index.ts";
import { airtime, aMeter, aPhone, aSmartCard, productNamed } from "../vtu/vtu.fixture.ts";
import { aBulkBuyer, rowsOf } from "./bulk.fixture.ts";
import { streamBulkRows, uploadBulkOrder } from "./index.ts";

withDatabase();
withApp();

/** Uploads a file for a new merchant. Returns the order and its rows. */
async function upload(text: string) {
  const { ctx } = await aBulkBuyer();
  const order = await uploadBulkOrder(ctx, text);
  return { order, rows: await rowsOf(ctx, order.id) };
}

test("a file with a byte order mark, CRLF, quotes, odd names of columns, ₦, commas and spaces is read as it is meant", async () => {
  const { order, rows } = await upload(
    '\ufeff" Phone Number ",Amount (Naira),Name\r\n+234 803 123 4567,"₦1,500.00","Bola, ""the boss"""\r\n\r\n8051234567,NGN 200,x\r\n',
  );
  expect(order).toMatchObject({ service: "airtime", status: "draft", counts: { total: 2, ready: 2 }, toBuy: naira(1_700) });
  expect(rows).toMatchObject([
    { row: 2, recipient: "+2348031234567", network: "mtn", amount: naira(1_500), cells: { Name: 'Bola, "the boss"' } },
    { row: 4, recipient: "+2348051234567", network: "glo", amount: naira(200) },
  ]);
});

test("every bad row says what to correct, and the others stay ready", async () => {
  const bad = [
    ["2.34803E+12,mtn,100", /Phone: the spreadsheet has shortened the number to 2\.34803E\+12\. Format the column as text/],
    ["08031234567,mtn,10", /Amount: write at least 50 Naira/],
    ['08031234567,mtn,"1,50"', /Amount: write Naira as/],
    ["08031234567,mtn,100.005", /Amount: write Naira as/],
    ["08031234567,mtn,-100", /Amount: write Naira as/],
    ["08031234567,mtn,1e3", /Amount: write Naira as/],
    ["12,mtn,100", /Phone: write a Nigerian mobile number/],
    [",mtn,100", /Phone: this cell is empty/],
    ["08031234567,vodafone,100", /Network: write one of mtn/],
    ["07001234567,,100", /Network: it cannot be guessed/],
  ] as const;
  const { order, rows } = await upload(["phone,network,amount", ...bad.map(([line]) => line), "08030000001,mtn,100"].join("\n"));
  expect(order.counts).toMatchObject({ total: bad.length + 1, invalid: bad.length, ready: 1 });
  for (const [n, [line, message]] of bad.entries()) expect(rows[n]?.message, line).toMatch(message);
  expect(order.toBuy).toEqual(naira(100));
});

test.each([
  ["more cells than the header", "phone,amount\n08035550026,100,000\n08035550027,₦50,000.00"],
  ["cells under a column without a name", "phone,amount,,\n08035550026,100,000\n08035550027,50,000.00"],
  ["the rest of the amount in another column", "phone,amount,note\n08035550026,100,000\n08035550027,50,000.00"],
])("an amount that a comma has split is never bought for less: %s", async (_, text) => {
  const { order, rows } = await upload(text);
  expect(order.counts).toMatchObject({ total: 2, invalid: 2, ready: 0 });
  for (const { message } of rows) expect(message).toMatch(/Write an amount without commas, or in quotes/);
});

test("a note behind the amount, and empty cells behind the header, are no part of it", async () => {
  const { order } = await upload("phone,amount,note\n08035550026,100,for Ada\n08035550027,100,,,\n08035550028,1500,7");
  expect(order.counts).toMatchObject({ total: 3, ready: 3 });
});

test("data, cable and electricity are known by their columns, and each row by its product", async () => {
  const { ctx } = await aBulkBuyer();
  const [data, cable, disco] = await Promise.all([
    productNamed("sandbox", "data", ""),
    productNamed("sandbox", "cable", ""),
    productNamed("sandbox", "electricity", ""),
  ]);
  const files = {
    data: `Phone,Plan ID\n${aPhone()},${data.id}\n${aPhone()},999999`,
    cable: `IUC number;plan\n${aSmartCard()};${cable.id}\n7.03456E+09;${cable.id}`,
    electricity: `Meter No,Disco,Meter Type,Amount\n${aMeter()},${disco.id},prepaid,5000\n${aMeter()},nowhere,prepaid,5000`,
  };
  for (const [service, text] of Object.entries(files)) {
    expect(await uploadBulkOrder(ctx, text)).toMatchObject({ service, counts: { total: 2, ready: 1, invalid: 1 } });
  }
});

test("markup and right-to-left text are kept as text", async () => {
  const { rows } = await upload("phone,amount,<b>name</b>\n08031234567,100,<script>alert(1)</script>\n08031234568,100,\u202eمرحبا\n");
  expect(rows.map(({ cells }) => cells["<b>name</b>"])).toEqual(["<script>alert(1)</script>", "\u202eمرحبا"]);
});

test("the same twice in a file, and what was bought in the last 24 hours, wait to be ticked", async () => {
  const { shop, ctx } = await aBulkBuyer();
  const [bought, other] = [aPhone(), aPhone()];
  const purchase = await buyProduct(shop.ctx, airtime({ phone: bought, amount: naira(100) }));
  const order = await uploadBulkOrder(ctx, `phone,network,amount\n${bought},mtn,100\n${other},mtn,100\n${other},mtn,100\n${other},mtn,200`);
  expect((await rowsOf(ctx, order.id)).map(({ status, duplicateOf }) => [status, duplicateOf])).toEqual([
    ["duplicate", purchase.id],
    ["ready", null],
    ["duplicate", "row 3"],
    ["ready", null],
  ]);
  expect(order.toBuy).toEqual(naira(300));
});

test.each([
  ["", /empty/],
  ["phone,amount", /no rows/],
  ["08031234567,100\n08031234568,100", /Name the columns in the first row/],
  ["phone,phone number,amount\n1,2,3", /Two columns are phone/],
  ["phone,plan,amount\n1,2,3", /either a plan id/],
  ["meter,amount\n1,2", /disco, metertype is missing/],
  ['phone,amount\n"08031234567,100', /no CSV from line/],
])("a file that cannot be read is refused as a whole: %j", async (text, message) => {
  const { ctx } = await aBulkBuyer(0);
  await expect(uploadBulkOrder(ctx, text)).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringMatching(message) });
});

test("a file of 250,000 lines is read for 2,000 lines, and refused", async () => {
  const { ctx } = await aBulkBuyer(0);
  // The parser refuses the quote, if it comes that far.
  const text = `phone,amount${"\n".repeat(250_000)}"`;
  await expect(uploadBulkOrder(ctx, text)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});

test("500 rows are taken and listed to the last, and 501 are refused", async () => {
  const { ctx } = await aBulkBuyer();
  const line = (_: unknown, n: number) => `0803${String(n).padStart(7, "0")},100`;
  const order = await uploadBulkOrder(ctx, ["phone,amount", ...Array.from({ length: 500 }, line)].join("\n"));
  const numbers: number[] = [];
  for await (const { row } of streamBulkRows(ctx, order.id)) numbers.push(row);
  expect(numbers).toEqual(Array.from({ length: 500 }, (_, n) => n + 2));
  const tooMany = ["phone,amount", ...Array.from({ length: 501 }, line)].join("\n");
  await expect(uploadBulkOrder(ctx, tooMany)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});
