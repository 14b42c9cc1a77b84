import { expect, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { callAs, dashboard, enter } from "./people.ts";
import { aBuyer, openTopUp } from "./top-ups.ts";

test("the pages of top-ups fit a phone and a desktop, in both themes and with large text, and axe finds nothing", async ({
  browser,
  page,
}) => {
  const email = await aBuyer(page);
  const { data: exams } = await callAs(page, "GET", "/api/v1/vtu/exam-types");
  const { data: discos } = await callAs(page, "GET", "/api/v1/vtu/discos");
  const bought = [
    await callAs(page, "POST", "/api/v1/vtu/airtime", { network: "mtn", phone: "08031230000", amount: 200 }),
    await callAs(page, "POST", "/api/v1/vtu/exam", { exam_type_id: exams[0].id, quantity: 2 }),
    await callAs(page, "POST", "/api/v1/vtu/electricity", {
      ...{ disco_id: discos[0].id, meter_number: "45012345678", meter_type: "Prepaid", amount: 2_000 },
    }),
  ];
  const paths = [
    "",
    "?status=reversed",
    "/airtime",
    "/data",
    "/cable",
    "/electricity",
    "/exam-pins",
    ...bought.map(({ data }) => `/${data.reference}`),
  ];
  await inEveryWidth(browser, async (look, name) => {
    await enter(look, email);
    for (const path of paths) {
      await openTopUp(look, path);
      await expectGoodLook(look, `/test/top-ups${path.replace(/vtu_.*/, `receipt ${paths.indexOf(path)}`)} ${name}`);
    }
  });
});

test("a viewer sees the list and the receipt without its token, and who may buy; live mode says that top-ups are not set up", async ({
  page,
}) => {
  const email = await aBuyer(page);
  const { data: discos } = await callAs(page, "GET", "/api/v1/vtu/discos");
  const { data } = await callAs(page, "POST", "/api/v1/vtu/electricity", {
    ...{ disco_id: discos[0].id, meter_number: "45012345678", meter_type: "Prepaid", amount: 2_000 },
  });
  await page.goto(dashboard("/live/top-ups"));
  await expect(page.getByText(/Top-ups are not (set up in live mode yet|switched on for your business)/)).toBeVisible();
  await sql()`update members set role = 'viewer' where user_id = (select id from users where email = ${email})`;
  await expect(async () => {
    // A new role takes effect within a second.
    await openTopUp(page);
    await expect(page.getByText("You can see top-ups, and not buy them. Owners, admins and developers can do this.")).toBeVisible({
      timeout: 500,
    });
  }).toPass();
  await openTopUp(page, "/airtime");
  await expect(page.getByText("You cannot buy here")).toBeVisible();
  await openTopUp(page, `/${data.reference}`);
  await expect(page.getByText("Only owners, admins, developers and support can see it.")).toBeVisible();
  await expect(page.locator("main")).not.toContainText(data.token.slice(0, 4));
  await expect(page.getByRole("link", { name: "Buy again" })).toHaveCount(0);
});
