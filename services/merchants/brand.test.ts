import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../context.ts";
import { aMember, asMember } from "../members/member.fixture.ts";
import { findLogo } from "./logo.ts";
import { aMerchantWithAllRights as aMerchant, type TestMerchant } from "./merchant.fixture.ts";
import { setBrand as setBrandOf } from "./set-brand.ts";
import { setEmbedOrigins } from "./set-embed-origins.ts";

withDatabase();

const businessOf = async (id: string) => {
  const [row] = await sql()<{ brand_colour: string; logo: string | null; support_email: string; support_phone: string | null }[]>`
    select brand_colour, logo, support_email, support_phone from businesses where id = ${id}`;
  if (!row) throw new Error("no such business");
  return row;
};

const setBrand = ({ ctx }: TestMerchant, changes: Parameters<typeof setBrandOf>[1]) =>
  setBrandOf({ ...ctx, businessId: ctx.merchant.businessId }, changes);

const noise = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 60 } } });

test("a big picture becomes a small logo without the metadata of the file", async () => {
  const shop = await aMerchant();
  const picture = await sharp({ create: { width: 2_000, height: 500, channels: 4, background: "#0f766e" } })
    .withExif({ IFD0: { Copyright: "a secret of the owner" } })
    .png()
    .toBuffer();
  await setBrand(shop, { logo: picture, colour: "#112233" });
  const { logo, brand_colour } = await businessOf(shop.merchant.businessId);
  expect(brand_colour).toBe("#112233");
  const bytes = await findLogo(systemContext("test"), logo ?? "");
  const made = await sharp(bytes).metadata();
  expect(made).toMatchObject({ format: "webp", width: 320, height: 80 });
  expect(made.exif).toBeUndefined();
  expect(bytes?.byteLength).toBeLessThanOrEqual(5 * 1024);
});

test("an absent field stays, and null removes a logo or a contact", async () => {
  const shop = await aMerchant();
  await setBrand(shop, { logo: await noise(40, 40).jpeg().toBuffer(), supportPhone: "+2348031234567" });
  await setBrand(shop, { colour: "#abcdef" });
  expect(await businessOf(shop.merchant.businessId)).toMatchObject({
    brand_colour: "#abcdef",
    logo: expect.any(String),
    support_phone: "+2348031234567",
  });
  await setBrand(shop, { logo: null, supportEmail: null });
  expect(await businessOf(shop.merchant.businessId)).toMatchObject({
    brand_colour: "#abcdef",
    logo: null,
    support_email: null,
    support_phone: "+2348031234567",
  });
});

test("of five members who save a brand at once one succeeds, and the others are told who changed which fields; without a version each does", async () => {
  const shop = await aMerchant();
  const owner = await aMember(shop.merchant.businessId, "owner");
  const ctx = { ...asMember(shop.ctx, owner), businessId: shop.merchant.businessId };
  const outcomes = await Promise.allSettled(times(5, (i) => setBrandOf(ctx, { colour: `#00000${i}`, version: 1 })));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([{ status: "fulfilled", value: 2 }]);
  for (const outcome of outcomes.filter(({ status }) => status === "rejected")) {
    expect(outcome).toMatchObject({
      reason: { code: "VERSION_CONFLICT", message: expect.stringMatching(/^Bola Ade changed this on .*\(colour\)/) },
    });
  }
  expect(await Promise.all(times(3, (i) => setBrandOf(ctx, { colour: `#11111${i}` })))).toEqual(expect.arrayContaining([3, 4, 5]));
  expect(await setBrandOf(ctx, { colour: "#222222", version: 5 })).toBe(6);
});

describe("a change whose answer was lost", () => {
  const someone = async ({ ctx, merchant }: TestMerchant) => {
    return { ...asMember(ctx, await aMember(merchant.businessId, "admin")), businessId: merchant.businessId };
  };
  const changesOf = async ({ merchant }: TestMerchant) =>
    (await sql()`select from audit_entries where business_id = ${merchant.businessId} and action = 'brand.changed'`).length;

  test("is made once when it is sent again, also with a logo, and then the next change follows", async () => {
    const shop = await aMerchant();
    const ada = await someone(shop);
    const [contacts, logo] = [{ colour: "#112233", supportPhone: null }, await noise(40, 40).png().toBuffer()];
    expect(await setBrandOf(ada, { ...contacts, version: 1 })).toBe(2);
    expect(await setBrandOf(ada, { ...contacts, version: 1 })).toBe(2);
    expect(await setBrandOf(ada, { logo, version: 2 })).toBe(3);
    expect(await Promise.all(times(3, () => setBrandOf(ada, { logo, version: 2 })))).toEqual([3, 3, 3]);
    expect(await changesOf(shop)).toBe(2);
    expect(await setBrandOf(ada, { colour: "#445566", version: 3 })).toBe(4);
    expect(await businessOf(shop.merchant.businessId)).toMatchObject({ brand_colour: "#445566", logo: expect.any(String) });
  });

  test("is a conflict when it is sent again after another member's change, which stays", async () => {
    const shop = await aMerchant();
    const [ada, bola] = [await someone(shop), await someone(shop)];
    await setBrandOf(ada, { colour: "#112233", version: 1 });
    await setBrandOf(bola, { supportPhone: "0803 123 4567", version: 2 });
    await expect(setBrandOf(ada, { colour: "#112233", version: 1 })).rejects.toMatchObject({
      ...{ code: "VERSION_CONFLICT", message: expect.stringContaining("(support_phone)") },
    });
    expect(await businessOf(shop.merchant.businessId)).toMatchObject({ support_phone: "0803 123 4567" });
  });

  test("a change that another member has made first, or another change of the same version, is a conflict", async () => {
    const shop = await aMerchant();
    const [ada, bola] = [await someone(shop), await someone(shop)];
    await setBrandOf(bola, { colour: "#112233", version: 1 });
    const conflict = { code: "VERSION_CONFLICT" };
    await expect(setBrandOf(ada, { colour: "#112233", version: 1 })).rejects.toMatchObject(conflict);
    await expect(setBrandOf(bola, { colour: "#445566", version: 1 })).rejects.toMatchObject(conflict);
    await expect(setBrandOf(bola, { colour: "#112233", supportPhone: null, version: 1 })).rejects.toMatchObject(conflict);
  });

  test("a change that is sent again and changes nothing makes no version and no audit entry", async () => {
    const shop = await aMerchant();
    const ada = await someone(shop);
    await setBrandOf(ada, { colour: "#112233", supportPhone: null, version: 1 });
    expect(await setBrandOf(ada, { colour: "#112233", supportPhone: null, version: 2 })).toBe(2);
    expect(await changesOf(shop)).toBe(1);
  });
});

test("six pictures at once are all drawn", async () => {
  const pictures = await Promise.all(
    times(6, (i) =>
      noise(30 + i, 30)
        .png()
        .toBuffer(),
    ),
  );
  const names = await Promise.all(
    pictures.map(async (logo) => {
      const shop = await aMerchant();
      await setBrand(shop, { logo });
      return (await businessOf(shop.merchant.businessId)).logo;
    }),
  );
  expect(new Set(names).size).toBe(6);
});

test("two businesses with one picture share one stored logo", async () => {
  const picture = await noise(64, 64).png().toBuffer();
  const [one, two] = [await aMerchant(), await aMerchant()];
  await Promise.all([one, two].map((each) => setBrand(each, { logo: picture })));
  expect((await businessOf(one.merchant.businessId)).logo).toBe((await businessOf(two.merchant.businessId)).logo);
});

test.each([
  ["an SVG, which can carry script", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')],
  ["text", Buffer.from("not a picture")],
  ["nothing", Buffer.alloc(0)],
  ["a PNG that is cut off", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAoAAAAK", "base64")],
  ["more than 5 MB", Buffer.alloc(5 * 1024 * 1024 + 1)],
])("%s is refused as a logo", async (_name, picture) => {
  const shop = await aMerchant();
  await expect(setBrand(shop, { logo: picture })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect((await businessOf(shop.merchant.businessId)).logo).toBeNull();
});

test("a name that is malformed or unknown finds no logo", async () => {
  for (const name of ["", "../../etc/passwd", "0".repeat(31), "f".repeat(32)])
    expect(await findLogo(systemContext("test"), name)).toBeUndefined();
});

test("embed origins are stored as browsers spell them, each once", async () => {
  const shop = await aMerchant();
  expect(await setEmbedOrigins(shop.ctx, ["https://Shop.Example/", "https://shop.example:443", "http://localhost:4000"])).toEqual([
    "https://shop.example",
    "http://localhost:4000",
  ]);
  expect(await setEmbedOrigins(shop.ctx, [])).toEqual([]);
});

test.each([
  "https://*.shop.example",
  "*",
  "https://shop.example/path",
  "https://shop.example?x",
  "https://user@shop.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "shop.example",
  "https://shop.example; script-src *",
  "https://a.example;sandbox",
  "https://b.example,default-src",
  "https://c.example'none'",
  "",
])("%j is refused as an embed origin", async (origin) => {
  const shop = await aMerchant();
  await expect(setEmbedOrigins(shop.ctx, [origin])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("a refused embed origin is named by its number, and its text is not in the refusal", async () => {
  const shop = await aMerchant();
  const refusal = await setEmbedOrigins(shop.ctx, ["https://shop.example", "https://ada:hunter2@shop.example"]).catch((error) => error);
  expect(refusal).toMatchObject({ errors: [{ param: "origins", message: expect.stringContaining("Number 2 is not an origin") }] });
  expect(JSON.stringify([refusal.message, refusal.errors])).not.toContain("hunter2");
});

test("live mode accepts only https embed origins", async () => {
  const { liveCtx } = await aMerchant();
  await expect(setEmbedOrigins(liveCtx, ["http://shop.example"])).rejects.toThrow(/https alone/);
  expect(await setEmbedOrigins(liveCtx, ["https://shop.example"])).toEqual(["https://shop.example"]);
});

test.each([
  ["\u202a0803 123 4567\u202c", "0803 123 4567"],
  ["tel:+2348031234567", "+2348031234567"],
  ["٠٨٠٣١٢٣٤٥٦٧", "08031234567"],
  ["0700 225 5652", "0700 225 5652"],
  ["+44 20 7946 0958", "+44 20 7946 0958"],
])("the support's phone %j is shown as %s", async (sent, shown) => {
  const shop = await aMerchant();
  await setBrand(shop, { supportPhone: sent });
  expect((await businessOf(shop.merchant.businessId)).support_phone).toBe(shown);
});

test.each(["+23480312345", "+234803123456789", "0803\n1234567", "call us", "080312345678²"])(
  "%j is refused as the support's phone",
  async (supportPhone) => {
    const shop = await aMerchant();
    await expect(setBrand(shop, { supportPhone })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  },
);
