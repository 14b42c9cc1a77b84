import { expect, type Page, test } from "@playwright/test";
import { aCardPage } from "./cards.ts";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { callAs, dashboard, enter, untilAlive } from "./people.ts";

const dialog = (page: Page) => page.getByRole("dialog");

test("the pages of cards fit a phone and a desktop, in both themes and with large text, and axe finds nothing", async ({
  browser,
  page,
}) => {
  const { email, cardId } = await aCardPage(page, 50);
  const spend = `/api/v1/test/virtual-cards/${cardId}/transactions`;
  const { data } = await callAs(page, "POST", spend, { amount: 8.8, merchant_name: "Ikeja Supermarket" });
  const clearing = { type: "CLEARING", amount: 8.8, merchant_name: "Ikeja Supermarket", related_transaction_id: data.id };
  await callAs(page, "POST", spend, clearing);
  await callAs(page, "POST", spend, { amount: 60, merchant_name: "A shop with a very long name indeed ".repeat(2) });
  const refused = { first_name: "Tunde", last_name: "Bello", email: `tunde+rejected-${email}` };
  const holder = await callAs(page, "POST", "/api/v1/virtual-cards/cardholders", refused);
  const paths = [
    "",
    "/holders",
    "/spend",
    "/operations",
    `/${cardId}`,
    `/${cardId}?show=spend`,
    `/holders/${holder.data.id}`,
    "?status=FAILED",
  ];
  await inEveryWidth(browser, async (look, name) => {
    await enter(look, email);
    for (const path of paths) {
      await look.goto(dashboard(`/test/cards${path}`), { waitUntil: "networkidle" });
      await expectGoodLook(look, `/test/cards${path.replace(cardId, "card").replace(holder.data.id, "holder")} ${name}`);
    }
    await look.goto(dashboard(`/test/cards/${cardId}`));
    await untilAlive(look);
    await look.getByRole("button", { name: "Fund $18.80 more" }).click();
    await expect(dialog(look)).toContainText("You pay");
    await expectGoodLook(look, `card fund ${name}`);
    await look.keyboard.press("Escape");
    await expect(look.getByRole("button", { name: "Fund $18.80 more" })).toBeFocused();
  });
});
