import { expect, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { aMember, callAs, dashboard, fillIn, untilAlive } from "./people.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function open(page: Page, path: string): Promise<void> {
  await page.goto(dashboard(path));
  await untilAlive(page);
}

const aLogo = () =>
  sharp({ create: { width: 1_200, height: 300, channels: 3, background: "#b91c1c" } })
    .png()
    .toBuffer();

test("a logo, a colour and a contact are previewed before they are saved, and the payer's page shows the same afterwards", async ({
  page,
}) => {
  await aMember(page);
  const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount: 5_000, description: "Rice" });
  const payUrl = `${process.env.BASE_URL}/pay/${reference}`;
  await open(page, "/test/settings/brand");
  const drawn: string[] = [];
  page.on("request", (request) => request.url().endsWith("/settings/brand/preview") && drawn.push(request.postData() ?? ""));
  await page.getByLabel("Logo (optional)").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await aLogo() });
  await expect(page.getByAltText("Your logo")).toBeVisible();
  await fillIn(page, { Colour: "#7c3aed", "Support phone (optional)": "0803 123 4567" });
  await expect.poll(() => drawn.at(-1) ?? "").toContain("colour=%237c3aed");
  expect(decodeURIComponent(drawn.at(-1) ?? "")).toContain("data:image/");
  const before = await (await page.request.get(payUrl)).text();
  expect(before).not.toContain("#7c3aed");
  await button(page, "Save brand").click();
  await expect(page.getByText("Brand saved")).toBeVisible();
  const after = await (await page.request.get(payUrl)).text();
  expect(after).toContain("--color-brand:#7c3aed");
  expect(after).toContain("0803 123 4567");
  const [logo] = /\/pay\/logos\/[0-9a-f]{32}\.webp/.exec(after) ?? [];
  const served = await page.request.get(new URL(logo ?? "", payUrl).href);
  // The preview draws the saved logo from the same bytes.
  const preview = await page.request.post(dashboard("/test/settings/brand/preview"), {
    form: { colour: "#7c3aed", logo: "" },
    headers: { Origin: new URL(dashboard()).origin, "Sec-Fetch-Site": "same-origin" },
  });
  expect(await preview.text()).toContain(`data:image/webp;base64,${(await served.body()).toString("base64")}`);
  await page.reload();
  await untilAlive(page);
  await button(page, "Remove logo").click();
  await button(page, "Save brand").click();
  await expect(page.getByText("Brand saved")).toBeVisible();
  expect(await (await page.request.get(payUrl)).text()).not.toContain("/pay/logos/");
});

/** Lets the next request reach the server, and loses its answer. */
const loseAnswerOf = (page: Page, path: string) =>
  page.route(
    (url) => url.pathname === path,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

test("saving again after lost answers ends in the brand as typed, and a change of another admin in between is not overwritten", async ({
  page,
}) => {
  await aMember(page);
  await open(page, "/test/settings/brand");
  await page.getByLabel("Logo (optional)").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await aLogo() });
  await expect(page.getByAltText("Your logo")).toBeVisible();
  await fillIn(page, { Colour: "#7c3aed", "Support phone (optional)": "0803 123 4567" });
  const lost = page.getByText("There was no answer, so we do not know whether this was saved.");
  await loseAnswerOf(page, "/api/dashboard/brand");
  await button(page, "Save brand").click();
  await expect(lost).toBeVisible();
  // Text that is typed while the save runs is saved too.
  await fillIn(page, { Colour: "#123456" });
  await loseAnswerOf(page, "/api/dashboard/brand/logo");
  const uploaded = page.waitForRequest((request) => request.url().includes("/api/dashboard/brand/logo"));
  await button(page, "Save brand").click();
  await uploaded;
  await expect(lost).toBeVisible();
  await button(page, "Save brand").click();
  await expect(page.getByText("Brand saved")).toBeVisible();
  const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount: 5_000, description: "Rice" });
  const html = await (await page.request.get(`${process.env.BASE_URL}/pay/${reference}`)).text();
  expect(html).toContain("--color-brand:#123456");
  expect(html).toMatch(/\/pay\/logos\/[0-9a-f]{32}\.webp/);

  const second = await page.context().newPage();
  await loseAnswerOf(page, "/api/dashboard/brand");
  await fillIn(page, { Colour: "#222222" });
  await button(page, "Save brand").click();
  await expect(lost).toBeVisible();
  await open(second, "/test/settings/brand");
  await fillIn(second, { "Support phone (optional)": "0809 999 9999" });
  await button(second, "Save brand").click();
  await expect(second.getByText("Brand saved")).toBeVisible();
  await button(page, "Save brand").click();
  await expect(page.getByText(/Ada Obi changed this on .+ \(.*support_phone.*\)/)).toBeVisible();
  await second.reload();
  await expect(second.getByLabel("Support phone (optional)")).toHaveValue("0809 999 9999");
});

test("a new logo is not kept while a contact beside it is wrong", async ({ page }) => {
  await aMember(page);
  await open(page, "/test/settings/brand");
  const uploads: string[] = [];
  page.on("request", (request) => request.url().includes("/api/dashboard/brand/logo") && uploads.push(request.url()));
  await page.getByLabel("Logo (optional)").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await aLogo() });
  await expect(page.getByAltText("Your logo")).toBeVisible();
  await fillIn(page, { "Support phone (optional)": "call me" });
  await button(page, "Save brand").click();
  await expect(page.getByText("Enter a telephone number.")).toBeVisible();
  expect(uploads).toEqual([]);
  await fillIn(page, { "Support phone (optional)": "0803 123 4567" });
  await button(page, "Save brand").click();
  await expect(page.getByText("Brand saved")).toBeVisible();
  expect(uploads).toHaveLength(1);
});

test("a file that is no picture is refused before it is sent, and a later page is told who has changed the brand", async ({ page }) => {
  await aMember(page);
  await open(page, "/test/settings/brand");
  const second = await page.context().newPage();
  await open(second, "/test/settings/brand");
  const choose = (name: string, mimeType: string, text: string) =>
    page.getByLabel("Logo (optional)").setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
  await choose("logo.svg", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  await expect(page.getByText("Choose a PNG, JPEG or WebP picture.")).toBeVisible();
  await choose("logo.png", "image/png", "GIF89a and nothing else");
  await expect(page.getByText("This file cannot be read as a picture. Choose another one.")).toBeVisible();
  await fillIn(page, { Colour: "#123456" });
  await button(page, "Save brand").click();
  await expect(page.getByText("Brand saved")).toBeVisible();
  await fillIn(second, { Colour: "#654321" });
  await button(second, "Save brand").click();
  await expect(second.getByText(/Ada Obi changed this on .+ \(.*colour.*\)/)).toBeVisible();
  await expect(second.getByLabel("Colour", { exact: true })).toHaveValue("#654321");
});

test("the business gets another name, its sites are listed, and the audit log says who did it", async ({ page }) => {
  await aMember(page);
  await open(page, "/test/settings");
  await button(page, "Change name").first().click();
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Ada's Bakery");
  await button(page, "Change name").last().click();
  await expect(page.getByText("Name changed")).toBeVisible();
  await expect(page.locator("main").getByText("Ada's Bakery")).toBeVisible();
  await button(page, "Change sites").click();
  await page.getByLabel("Sites (optional)").fill("https://*.shop.example");
  await button(page, "Save sites").click();
  await expect(page.getByText(/Number 1 is not an origin like https:\/\/shop.example/)).toBeVisible();
  await page.getByLabel("Sites (optional)").fill("https://shop.example\nhttps://www.shop.example");
  await button(page, "Save sites").click();
  await expect(page.getByText("2 sites")).toBeVisible();
  await page.getByRole("link", { name: "Audit log" }).click();
  await untilAlive(page);
  await expect(page.getByRole("row", { name: /Changed who may frame/ })).toContainText("You");
  await page.getByRole("link", { name: "Changed the name of the business" }).click();
  await expect(page.getByRole("region", { name: "What changed" })).toContainText("Ada's Bakery");
  await page.goBack();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "CSV" }).click()]);
  expect(download.suggestedFilename()).toMatch(/^oja-audit-test-20[\d-]+\.csv$/);
});

test("fees, rates and limits say where each comes from", async ({ page }) => {
  await aMember(page);
  await open(page, "/test/settings/fees");
  await expect(page.getByRole("row", { name: /One payment link/ })).toContainText("₦100.00 to ₦10,000,000.00");
  await expect(page.getByRole("row", { name: /Funding a card/ }).first()).toContainText(/Every business/);
});
