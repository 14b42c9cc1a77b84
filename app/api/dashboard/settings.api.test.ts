import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { pageHeaders } from "#app/_http/page-headers.fixture.ts";
import { sql, transaction } from "#db/client.ts";
import { noteInAudit } from "#services/audit/index.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { RawConnection } from "#testing/raw-http.ts";
import { times } from "#testing/until.ts";

withDatabase();
const app = withApp({}, { pages: true });

let shop: TestMerchant;
let owner: TestMember;
beforeEach(async () => {
  shop = await aMerchant();
  owner = await aMember(shop.merchant.businessId, "owner");
});

const page = (member = owner) => pageClient(app, member, shop.merchant.id);
const changeBrand = (body: object, member = owner) => page(member)("PATCH", "/api/dashboard/brand", { body });
const upload = async (picture: Uint8Array<ArrayBuffer>, { type = "image/png", version = "1", member = owner } = {}) => {
  const response = await fetch(`${app.url}/api/dashboard/brand/logo?version=${version}`, {
    ...{ method: "POST", body: picture },
    headers: { ...pageHeaders(app, member.token, shop.merchant.id), "Content-Type": type },
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};
const bytes = (data: Uint8Array | string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(data));
const aPicture = async () =>
  bytes(
    await sharp({ create: { width: 400, height: 100, channels: 3, background: "#0f766e" } })
      .png()
      .toBuffer(),
  );
const logoOf = async () =>
  (await sql()<{ logo: string | null }[]>`select logo from businesses where id = ${shop.merchant.businessId}`)[0]?.logo;

/** A PNG that says that it has many pixels, and is small as a file. */
function aBomb(side: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, body, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return bytes(
    Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.alloc(5_000_000))), chunk("IEND", Buffer.alloc(0))]),
  );
}

describe("the brand", () => {
  test("a change of the brand leaves absent fields alone, counts a version, and names the earlier editor to an outdated page", async () => {
    const first = await changeBrand({ version: 1, colour: "#112233", support_phone: "0803 123 4567" });
    expect(first.body.data).toMatchObject({ version: 2, colour: "#112233", support_phone: "0803 123 4567", has_logo: false });
    expect(first.body.data.support_email).toMatch(/@shop\.example$/);
    const late = await changeBrand({ version: 1, colour: "#445566" });
    expectError(late, "VERSION_CONFLICT");
    expect(late.body.error.message).toMatch(/^Bola Ade changed this on .+\(colour, support_phone\)/);
    expect((await changeBrand({ version: 2, support_email: null })).body.data).toMatchObject({ version: 3, support_email: null });
  });

  test.each([
    [{ version: 1, colour: "red" }, "colour"],
    [{ version: 1, colour: "#fff" }, "colour"],
    [{ version: 1, support_email: "nobody" }, "supportEmail"],
    [{ version: 1, support_phone: "call me" }, "supportPhone"],
    [{ version: 1, logo: "data:image/png;base64,AA" }, "logo"],
    [{ colour: "#112233" }, "version"],
  ])("%j is refused at its field", async (body, param) => {
    const refused = await changeBrand(body);
    expectError(refused, "VALIDATION_ERROR");
    expect(refused.body.error.param).toBe(param);
  });

  test("of a business is changed by its owners and admins alone", async () => {
    for (const role of ["developer", "support", "viewer"] as const) {
      const member = await aMember(shop.merchant.businessId, role);
      expectError(await changeBrand({ version: 1, colour: "#112233" }, member), "PERMISSION_DENIED");
      expectError(await upload(await aPicture(), { member }), "PERMISSION_DENIED");
    }
  });
});

describe("a logo", () => {
  test("a logo is stored as a small WebP and served to payers; five uploads at once from one page are one change", async () => {
    const picture = await aPicture();
    const answers = await Promise.all(times(5, () => upload(picture)));
    for (const { status, body } of answers) expect([status, body.data?.version]).toEqual([200, 2]);
    expect(
      await sql()`select from audit_entries where business_id = ${shop.merchant.businessId} and action = 'brand.changed'`,
    ).toHaveLength(1);
    const served = await fetch(`${app.url}/pay/logos/${await logoOf()}.webp`);
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect((await served.arrayBuffer()).byteLength).toBeLessThanOrEqual(5 * 1024);
    expect((await changeBrand({ version: 2, logo: null })).body.data.has_logo).toBe(false);
    expect(await logoOf()).toBeNull();
  });

  test("a stored logo keeps no metadata of its file, such as place and author", async () => {
    const picture = await sharp({ create: { width: 40, height: 10, channels: 3, background: "#fff" } })
      .withExif({ IFD3: { GPSLatitudeRef: "N", GPSLatitude: "6/1 27/1 0/1" }, IFD0: { Artist: "a secret of the owner" } })
      .jpeg()
      .toBuffer();
    expect((await upload(bytes(picture), { type: "image/jpeg" })).status).toBe(200);
    const served = Buffer.from(await (await fetch(`${app.url}/pay/logos/${await logoOf()}.webp`)).arrayBuffer());
    expect((await sharp(served).metadata()).exif).toBeUndefined();
    expect(served.toString("latin1")).not.toContain("a secret of the owner");
  });

  test("a logo file larger than 64 KB and smaller than 5 MB is not refused for its size", async () => {
    const picture = await sharp({
      create: { width: 400, height: 400, channels: 3, background: "#888", noise: { type: "gaussian", mean: 128, sigma: 20 } },
    })
      .png()
      .toBuffer();
    expect(picture.byteLength).toBeGreaterThan(64 * 1024);
    const answer = await upload(bytes(picture));
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 400) expect(answer.body.error.message).toContain("too much detail");
  });

  test("a picture of one pixel is accepted as a logo", async () => {
    const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: "#fff" } })
      .png()
      .toBuffer();
    expect((await upload(bytes(dot))).status).toBe(200);
  });

  test.each<[string, () => Promise<Uint8Array<ArrayBuffer>>, string, string]>([
    [
      "an SVG with a script",
      async () => bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "image/svg+xml",
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "an SVG that says that it is a PNG",
      async () => bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      "image/png",
      "VALIDATION_ERROR",
    ],
    [
      "a GIF that says that it is a PNG",
      async () => bytes(Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")),
      "image/png",
      "VALIDATION_ERROR",
    ],
    ["a PNG of 100 megapixels", async () => aBomb(10_000), "image/png", "VALIDATION_ERROR"],
    ["a PNG of a billion pixels in each direction", async () => aBomb(2 ** 30), "image/png", "VALIDATION_ERROR"],
    ["an empty file", async () => bytes(""), "image/png", "VALIDATION_ERROR"],
    ["text", async () => bytes("hello"), "image/webp", "VALIDATION_ERROR"],
    ["a body without a type", async () => bytes("hello"), "", "UNSUPPORTED_MEDIA_TYPE"],
  ])("%s is refused, and the logo stays", async (_what, make, type, code) => {
    expectError(await upload(await make(), { type }), code as "VALIDATION_ERROR");
    expect(await logoOf()).toBeNull();
  });

  test("after five logo uploads a business has to wait as long as it is told, whichever member sends, and another business does not", async () => {
    const admin = await aMember(shop.merchant.businessId, "admin");
    const send = (member: TestMember) => upload(bytes("no picture"), { member });
    const taken = await Promise.all([send(owner), send(admin), send(owner), send(admin), send(owner)]);
    for (const answer of taken) expectError(answer, "VALIDATION_ERROR");
    for (const member of [owner, admin]) {
      const refused = await send(member);
      expectError(refused, "RATE_LIMITED");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(5);
      expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(10);
      expect(refused.headers.get("ratelimit-policy")).toBe('"logos";q=5;w=50');
    }
    expect((await changeBrand({ version: 1, colour: "#112233" })).status).toBe(200);
    shop = await aMerchant();
    expectError(await send(await aMember(shop.merchant.businessId, "owner")), "VALIDATION_ERROR");
  });

  test("an upload counts when it begins: of six that are still being sent, the sixth is refused at once", async () => {
    const headers = { ...pageHeaders(app, owner.token, shop.merchant.id), "Content-Type": "image/png", "Content-Length": "5242880" };
    const lines = ["POST /api/dashboard/brand/logo?version=1 HTTP/1.1", `Host: ${new URL(app.url).host}`];
    const head = [...lines, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\r\n");
    // Requests of a session that this process does not know wait for each other.
    expect((await page()("GET", "/api/v1/wallet")).status).toBe(200);
    const uploads = Array.from({ length: 6 }, () => new RawConnection(app.url).send(`${head}\r\n\r\nthe first bytes`));
    try {
      const refused = await Promise.any(uploads.map((upload) => upload.answered(/^HTTP\/1\.1 429 .*RATE_LIMITED/s, 15_000)));
      expect(refused).toMatch(/^retry-after: \d+\r$/im);
      expect(uploads.map(({ received }) => received).filter((text) => text !== "")).toEqual([refused]);
    } finally {
      for (const { socket } of uploads) socket.destroy();
    }
  });

  test.each([6, 50])("a logo file of %i MB is refused before it is read", async (megabytes) => {
    const refused = await upload(bytes(Buffer.alloc(megabytes * 1024 * 1024))).catch(() => undefined);
    // The server answers and closes the connection while the client still sends, so the client may not see the answer.
    if (refused) expectError(refused, "PAYLOAD_TOO_LARGE");
    expect(await logoOf()).toBeNull();
  });
});

describe("the preview of a brand", () => {
  const preview = (fields: Record<string, string>, headers: Record<string, string> = {}, token = owner.token) =>
    fetch(`${app.url}/test/settings/brand/preview`, {
      ...{ method: "POST", redirect: "manual", body: new URLSearchParams(fields) },
      headers: { cookie: `oja-session=${token}`, Origin: app.url, "Sec-Fetch-Site": "same-origin", ...headers },
    });

  test("shows the colour, the contacts and the picture of the form, and stores none of them", async () => {
    const before = await sql()`select from logos`;
    const logo = `data:image/png;base64,${Buffer.from(await aPicture()).toString("base64")}`;
    const answer = await preview({ colour: "#ABCDEF", support_email: "help@kitchen.example", support_phone: "", logo });
    const html = await answer.text();
    expect(html).toContain("--color-brand:#abcdef");
    expect(html).toContain("help@kitchen.example");
    expect(html).toContain("data:image/webp;base64,");
    expect(html).not.toContain("<script");
    expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    const [stored] = await sql()`select brand_colour, logo, support_phone from businesses where id = ${shop.merchant.businessId}`;
    expect(stored).toEqual({ brand_colour: "#0f766e", logo: null, support_phone: null });
    expect(await sql()`select from logos`).toHaveLength(before.length);
  });

  test("the preview shows the saved colour and logo instead of invalid ones, and shows markup as text", async () => {
    const html = await (
      await preview({ colour: "red;}</style><script>", support_email: "<script>alert(1)</script>", logo: "data:image/png;base64,AAAA" })
    ).text();
    expect(html).toContain("--color-brand:#0f766e");
    expect(html).not.toContain("<script");
    expect(html).not.toContain("data:image/webp");
  });

  test("draws a picture of the size that a browser sends, and none that has many times its pixels", async () => {
    const drawn = async (width: number, height: number) => {
      const picture = await sharp({ create: { width, height, channels: 3, background: "#0f766e" } })
        .webp()
        .toBuffer();
      const answer = await preview({ colour: "#112233", logo: `data:image/webp;base64,${picture.toString("base64")}` });
      return [answer.status, (await answer.text()).includes("data:image/webp;base64,")];
    };
    expect(await drawn(640, 160)).toEqual([200, true]);
    expect(await drawn(2_000, 1_000)).toEqual([200, false]);
  });

  test("is refused to another origin, to roles that do not change the brand, too large, and without a session", async () => {
    const viewer = await aMember(shop.merchant.businessId, "viewer");
    expect((await preview({ colour: "#112233" }, {}, viewer.token)).status).toBe(403);
    expect((await preview({ colour: "#112233" }, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await preview({ logo: "x".repeat(70_000) })).status).toBe(413);
    expect((await preview({ colour: "#112233" }, {}, "not.a.session")).status).toBe(307);
  });
});

test("the name and the framing sites are changed only if they are still as the page has read them", async () => {
  const rename = (name: string, from: string) => page()("PATCH", "/api/dashboard/business", { body: { name, from } });
  expect((await rename("Ada's Kitchen", "Ada's Shop")).body.data).toEqual({ name: "Ada's Kitchen", requested_name: null });
  expectError(await rename("Other", "Ada's Shop"), "VERSION_CONFLICT");
  for (const name of ["", "   ", "x".repeat(81), "two\u200Blines"]) expectError(await rename(name, "Ada's Kitchen"), "VALIDATION_ERROR");
  const frame = (origins: string[], from: string[]) => page()("POST", "/api/dashboard/embed-origins", { body: { origins, from } });
  expect((await frame(["https://shop.example/"], [])).body.data).toEqual({ origins: ["https://shop.example"] });
  expectError(await frame([], []), "VERSION_CONFLICT");
  expectError(await frame(["https://*.example"], ["https://shop.example"]), "VALIDATION_ERROR");
  const other = await aMerchant();
  const stranger = await aMember(other.merchant.businessId, "owner");
  expectError(
    await page(stranger)("PATCH", "/api/dashboard/business", { body: { name: "Mine", from: "Ada's Kitchen" } }),
    "RESOURCE_NOT_FOUND",
  );
});

test("a second request for a name is told of the first one, and replaces it only by citing it", async () => {
  await enableLiveAreas(shop.liveMerchantId, "checkout");
  const admin = await aMember(shop.merchant.businessId, "admin");
  const rename = (member: TestMember, name: string, seen: object = {}) =>
    page(member)("PATCH", "/api/dashboard/business", { body: { name, from: "Ada's Shop", ...seen } });
  expect((await rename(owner, "Ada's Kitchen")).body.data).toEqual({ name: "Ada's Shop", requested_name: "Ada's Kitchen" });
  const refused = await rename(admin, "Ada's Bakery");
  expectError(refused, "VERSION_CONFLICT");
  expect(refused.body.error.message).toMatch(/^Bola Ade asked for the name Ada's Kitchen on /);
  expectError(await rename(admin, "Ada's Bakery", { from_requested: null }), "VERSION_CONFLICT");
  expect((await rename(admin, "Ada's Bakery", { from_requested: "Ada's Kitchen" })).body.data.requested_name).toBe("Ada's Bakery");
});

test("the audit log is downloaded with the filters of its page, by those who may read it, and a formula in it is text", async () => {
  await changeBrand({ version: 1, colour: "#112233" });
  await page()("PATCH", "/api/dashboard/business", { body: { name: "=HYPERLINK(1)", from: "Ada's Shop" } });
  const csv = async (member: TestMember, query = "") => {
    const response = await fetch(`${app.url}/api/dashboard/exports/audit?merchant=${shop.merchant.id}${query}`, {
      headers: { cookie: `oja-session=${member.token}`, "Sec-Fetch-Site": "same-origin" },
    });
    return { status: response.status, text: await response.text() };
  };
  const all = await csv(owner);
  expect(all.status).toBe(200);
  expect(all.text).toContain("brand.changed");
  expect(all.text).toContain("business.renamed");
  expect(all.text).not.toMatch(/(^|,)=HYPERLINK/m);
  const some = await csv(owner, `&by=${owner.userId}&subject=nothing`);
  expect(some.text.trim().split("\n")).toHaveLength(1);
  expect((await csv(await aMember(shop.merchant.businessId, "support"))).status).toBe(403);
});

test("the file and the pages of the audit log show a developer no network address of an owner, and the developer's own", async () => {
  const developer = await aMember(shop.merchant.businessId, "developer");
  const addressOf = { [owner.userId]: "203.0.113.7", [developer.userId]: "203.0.113.8" };
  const about = { merchantId: shop.merchant.id, action: "api_key.changed", subject: "key_1" };
  for (const [id, address] of Object.entries(addressOf))
    await transaction((tx) => noteInAudit(tx, { actor: { type: "member", id }, requestId: null, address }, about));
  const [{ last = 0 } = {}] = await sql()<{ last: number }[]>`
    select max(seq)::int as last from audit_entries where business_id = ${shop.merchant.businessId}`;
  const read = async (path: string, { token }: TestMember) =>
    (await fetch(`${app.url}${path}`, { headers: { cookie: `oja-session=${token}`, "Sec-Fetch-Site": "same-origin" } })).text();
  const log = `/b/${shop.merchant.businessId}/test/settings/audit`;
  const pages = [`/api/dashboard/exports/audit?merchant=${shop.merchant.id}`, log];
  for (const path of [...pages, `${log}/${last - 1}`]) expect(await read(path, owner)).toContain("203.0.113.7");
  for (const path of [...pages, `${log}/${last}`]) expect(await read(path, developer)).toContain("203.0.113.8");
  for (const path of [...pages, `${log}/${last - 1}`]) {
    const text = await read(path, developer);
    expect(text).toContain("key_1");
    expect(text).not.toContain("203.0.113.7");
  }
});
