import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { buyProduct } from "../vtu/index.ts";
import { airtime, aMeter, aPhone, aSmartCard, productNamed, purchaseThatIs, readListOf } from "../vtu/vtu.fixture.ts";
import { aBulkBuyer, rowsOf, termsOf, untilHalted } from "./bulk.fixture.ts";
import { confirmBulkOrder, streamBulkRows, uploadBulkOrder } from "./index.ts";

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

test("a note behind the amount and empty cells behind the last column do not change how a row is read", async () => {
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

test("a row that repeats an earlier row, or a purchase of the last 24 hours, is marked as a duplicate and left out of the total", async () => {
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
  ["meter,amount\n1,2", /disco, metertype is missing/],
  ['phone,amount\n"08031234567,100', /no CSV from line/],
])("a file that cannot be read is refused as a whole: %j", async (text, message) => {
  const { ctx } = await aBulkBuyer(0);
  await expect(uploadBulkOrder(ctx, text)).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringMatching(message) });
});

test("a product that its aggregator has renamed since it was bought is a duplicate, and two bundles of one size are not", async () => {
  const { ctx } = await aBulkBuyer();
  const plan = await productNamed("sandbox", "cable", "");
  const file = `iuc,plan\n${aSmartCard()},${plan.id}`;
  const first = await uploadBulkOrder(ctx, file);
  await confirmBulkOrder(ctx, first.id, termsOf(first));
  await untilHalted(ctx, first.id);
  const [named] = await sql()<{ name: string }[]>`select name from products where id = ${plan.id}`;
  await sql()`update products set name = 'Renamed 19000' where id = ${plan.id}`;
  expect((await uploadBulkOrder(ctx, file)).counts).toMatchObject({ duplicate: 1, ready: 0 });
  await sql()`update products set name = ${named?.name ?? ""} where id = ${plan.id}`;
});

test("a row for a meter repeats only a row with the same meter and amount", async () => {
  const { ctx } = await aBulkBuyer();
  const disco = await productNamed("sandbox", "electricity", "");
  const [meter, other] = [aMeter(), aMeter()];
  const line = (of: string, amount: number) => `${of},${disco.id},Prepaid,${amount}`;
  const order = await uploadBulkOrder(
    ctx,
    ["meter,disco,meter type,amount", line(meter, 1_000), line(meter, 2_000), line(meter, 1_000), line(other, 1_000)].join("\n"),
  );
  expect((await rowsOf(ctx, order.id)).map(({ status, duplicateOf }) => [status, duplicateOf])).toEqual([
    ["ready", null],
    ["ready", null],
    ["duplicate", "row 2"],
    ["ready", null],
  ]);
});

test("a row that repeats a failed or reversed purchase is no duplicate", async () => {
  const { shop, ctx } = await aBulkBuyer();
  const phones = [aPhone("0000"), aPhone("5555"), aPhone()];
  const bought = await Promise.all(phones.map((phone) => buyProduct(shop.ctx, airtime({ phone, amount: naira(100) }))));
  const [failed, reversed, kept] = bought;
  await purchaseThatIs("failed", shop, failed?.id ?? "");
  await purchaseThatIs("reversed", shop, reversed?.id ?? "");
  const order = await uploadBulkOrder(ctx, ["phone,network,amount", ...phones.map((phone) => `${phone},mtn,100`)].join("\n"));
  expect((await rowsOf(ctx, order.id)).map(({ status, duplicateOf }) => [status, duplicateOf])).toEqual([
    ["ready", null],
    ["ready", null],
    ["duplicate", kept?.id],
  ]);
});

test("a purchase stored without an identity of its goods is repeated by a row for the same goods of another aggregator", async () => {
  const { shop, ctx } = await aBulkBuyer();
  await readListOf("sandbox-vtpass");
  const phone = aPhone();
  const bought = await buyProduct(shop.ctx, airtime({ phone, amount: naira(100) }));
  await sql()`update purchases set sku = null where id = ${bought.id}`;
  const elsewhere = { ...ctx, merchant: { ...ctx.merchant, aggregator: "sandbox-vtpass" } };
  const order = await uploadBulkOrder(elsewhere, `phone,network,amount\n${phone},mtn,100\n${phone},mtn,200`);
  expect((await rowsOf(ctx, order.id)).map(({ status, duplicateOf }) => [status, duplicateOf])).toEqual([
    ["duplicate", bought.id],
    ["ready", null],
  ]);
});

test("a file of 250,000 lines is read for 2,000 lines, and refused", async () => {
  const { ctx } = await aBulkBuyer(0);
  // The parser refuses the quote, if it comes that far.
  const text = `phone,amount${"\n".repeat(250_000)}"`;
  await expect(uploadBulkOrder(ctx, text)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
});

test.each([
  [",".repeat(240_000), "VALIDATION_ERROR", /Line 1 has more than 40 cells/],
  [`phone,amount\n${"1,".repeat(41)}`, "VALIDATION_ERROR", /Line 2 has more than 40 cells/],
  [["phone,amount", ...Array.from({ length: 400 }, () => "1,".repeat(35))].join("\n"), "VALIDATION_ERROR", /more than 11,500 cells/],
  ["\n".repeat(3_000), "PAYLOAD_TOO_LARGE", /2,?000 lines/],
])("a file with more cells or lines than a file of top-ups needs is refused before it is parsed", async (text, code, message) => {
  const { ctx } = await aBulkBuyer(0);
  await expect(uploadBulkOrder(ctx, text)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
});

test("commas within quotes are no cells, and empty cells behind the last column are taken", async () => {
  const { order } = await upload(`phone,amount,note\n08031234567,100,"${",".repeat(100)}"\n08031234568,100${",".repeat(30)}`);
  expect(order.counts).toMatchObject({ total: 2, ready: 2 });
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

test("files are read as spreadsheets write them: with a first line sep=, formulas of text, tabs and phones without their zero", async () => {
  const { order, rows } = await upload(
    'sep=;\r\nphone;network;amount\r\n="08031234567";mtn;100\r\n"=""08031234568""";mtn;100\r\n\u202a0803 123 4569\u202c;mtn;100\r\n8031234560;mtn;100',
  );
  expect(order.counts).toMatchObject({ total: 4, ready: 4 });
  expect(rows.map(({ row, recipient }) => [row, recipient])).toEqual([
    [2, "+2348031234567"],
    [3, "+2348031234568"],
    [4, "+2348031234569"],
    [5, "+2348031234560"],
  ]);
});

test.each([
  ["phone,plan id,amount\n08031234567,,1000", "data"],
  ["phone,smart card,plan id,amount\n08031234567,,,2500", undefined],
  ["meter,disco,meter type,amount,phone\n,,,5000,08031234567", undefined],
  ["phone,network,smart card,plan id,meter,disco,meter type,amount\n08031234567,,,,,,,1000", "data"],
])("a file with an empty column of plans, cards or meters is never read as airtime: %j", async (text, service) => {
  const { ctx } = await aBulkBuyer();
  if (service === undefined) return expect(uploadBulkOrder(ctx, text)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await uploadBulkOrder(ctx, text)).toMatchObject({ service, counts: { total: 1, ready: 0, invalid: 1 } });
});

test.each([
  ["sep=|", "|"],
  ['"sep=;"', ";"],
  ["sep=; ", ";"],
  ['\ufeff"sep=," ', ","],
  ["SEP=\t", "\t"],
])("the first line %j sets the separator between cells, and cells as formulas of text are read", async (line, sign) => {
  const table = [
    ["phone", "network", "amount"],
    ['="08031234567"', "mtn", '="100"'],
    ['="08031234568"', '="mtn"', "100"],
  ];
  const { rows } = await upload([line, ...table.map((cells) => cells.join(sign))].join("\r\n"));
  expect(rows.map(({ row, status, recipient, message }) => message ?? [row, status, recipient])).toEqual([
    [2, "ready", "+2348031234567"],
    [3, "ready", "+2348031234568"],
  ]);
});

test("a meter type is read with a hyphen or a space, and an amount in the digits of any script", async () => {
  const disco = await productNamed("sandbox", "electricity", "");
  const types = ["Prepaid", "pre-paid", "PRE PAID", "pre\u2011paid", "Post-Paid", "post paid"];
  const { rows } = await upload(
    ["meter,disco,meter type,amount", ...types.map((type) => `${aMeter()},${disco.id},${type},５٠٠۰`)].join("\n"),
  );
  expect(rows.map(({ variant, message }) => message ?? variant)).toEqual([
    "Prepaid",
    "Prepaid",
    "Prepaid",
    "Prepaid",
    "Postpaid",
    "Postpaid",
  ]);
  expect(rows.map(({ amount }) => amount)).toEqual(types.map(() => naira(5_000)));
});

test("a digit is never used as the separator between cells, even if the first line names it", async () => {
  const { ctx } = await aBulkBuyer(0);
  await expect(uploadBulkOrder(ctx, "sep=0\nphone0amount\n813567890100")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("networks and discos are read by their old and new names in the trade", async () => {
  const networks = ["Etisalat", "T2", "T2 Mobile", "9MOBILE"];
  const { rows } = await upload(["phone,network,amount", ...networks.map((network, n) => `0809123456${n},${network},100`)].join("\n"));
  expect(rows.map(({ network }) => network)).toEqual(networks.map(() => "9mobile"));
  const names = {
    "ikeja-electric": ["IKEDC", "IE", "Ikeja Electric", "ikeja", "Ikeja Electric (IKEDC)"],
    "eko-electric": ["EKEDC", "Eko Electricity Distribution Company", "eko disco"],
    "abuja-electric": ["AEDC", "Abuja"],
    "portharcourt-electric": ["PHED", "PHEDC", "Port Harcourt Electricity"],
    "kano-electric": ["KEDCO"],
    "kaduna-electric": ["KAEDCO", "Kaduna Electric"],
    "jos-electric": ["JED", "Jos"],
    "aba-electric": ["Aba Power", "ABEDC"],
  };
  for (const [code, written] of Object.entries(names)) {
    const disco = await productNamed("sandbox", "electricity", code);
    const { rows: meters } = await upload(
      ["meter,disco,meter type,amount", ...written.map((name) => `${aMeter()},${name},prepaid,1000`)].join("\n"),
    );
    expect(meters.map(({ productId, message }) => message ?? productId)).toEqual(written.map(() => disco.id));
  }
});

test("a smart card number of the wrong length, and an amount that differs from the plan's price, are refused", async () => {
  const [dstv, startimes] = [
    await productNamed("sandbox", "cable", "dstv-compact"),
    await productNamed("sandbox", "cable", "startimes-nova"),
  ];
  const [product] = await sql()<{ selling_price: bigint }[]>`select selling_price from products where id = ${dstv.id}`;
  const price = Number(product?.selling_price ?? 0n) / 100;
  const { rows } = await upload(
    [
      "smart card,plan id,amount",
      `7034562211,${dstv.id},${price}`,
      `70345622112,${dstv.id},`,
      `7034562212,${startimes.id},`,
      `70345622113,${startimes.id},`,
      `7034562214,${dstv.id},${price + 1}`,
    ].join("\n"),
  );
  expect(rows.map(({ message }) => message)).toEqual([
    null,
    "Smart card: write the number on the card or the IUC, 10 digits for this plan.",
    "Smart card: write the number on the card or the IUC, 11 digits for this plan.",
    null,
    expect.stringMatching(/^Amount: this plan costs [\d,]+ Naira now/),
  ]);
});

/** Returns the longest time that `work` keeps its thread from other requests, in milliseconds of CPU: other work of the machine does not count. */
async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isWorking = true;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
    if (isWorking) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isWorking = false;
  return longest;
}

const common = "electric".repeat(30_000);
test.each([
  ["a disco of 240 KB of common words", `meter,disco,meter type,amount\n45031234562,${common}x,prepaid,5000`],
  ["an amount of 240 KB", `phone,amount\n08031234567,"${"1 ".repeat(120_000)}"`],
  ["a phone of 240 KB", `phone,amount\n"${"-".repeat(240_000)}1",100`],
  ["a meter type of 240 KB", `meter,disco,meter type,amount\n45031234562,ikeja,"${"\u200b".repeat(80_000)}",5000`],
  ["a heading of 240 KB", `phone,amount,"${"-".repeat(240_000)}"\n08031234567,10`],
])("%s holds the event loop under 20 ms", async (_, text) => {
  const { ctx } = await aBulkBuyer(0);
  const holds: number[] = [];
  for (let round = 0; round < 4; round++) {
    holds.push(
      await longestHoldMs(async () => {
        expect((await uploadBulkOrder(ctx, text)).counts).toMatchObject({ total: 1, invalid: 1 });
      }),
    );
  }
  // The first rounds compile.
  expect(Math.min(...holds)).toBeLessThan(20);
});

test("an amount, a number or a word is never read from the beginning of a longer cell", async () => {
  const blank = " ".repeat(300);
  const { rows } = await upload(
    [
      "phone,network,amount",
      `08031234567,mtn,"100${blank}000"`,
      `"08031234567${blank}89",mtn,100`,
      `08031234567,"mtn${"\u200b".repeat(300)}x",100`,
    ].join("\n"),
  );
  expect(rows.map(({ status }) => status)).toEqual(["invalid", "invalid", "invalid"]);
});

test("a cell of more than 200 characters is cut and marked as cut, and one of 200 is kept whole", async () => {
  const { rows } = await upload(["phone,amount,note", ...[200, 201].map((length) => `08031234567,100,${"😀".repeat(length)}`)].join("\n"));
  expect(rows.map(({ cells }) => cells.note)).toEqual(["😀".repeat(200), `${"😀".repeat(199)}…`]);
});
