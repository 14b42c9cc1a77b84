import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BrandObject, ChangeBrand, getBusiness, presentBrand, setBrand } from "#services/merchants/index.ts";

export const PATCH = dashboardRoute(
  {
    name: "changeBrand",
    summary: "Change the colour and the contacts that payers see, or remove the logo",
    permission: setBrand.needs.permission,
    body: ChangeBrand,
    returns: { 200: dataOf(BrandObject) },
    errors: ["VERSION_CONFLICT"],
  },
  async (ctx, { body: { support_email: supportEmail, support_phone: supportPhone, ...changes } }) => {
    await setBrand({ ...ctx, businessId: ctx.merchant.businessId }, { ...changes, supportEmail, supportPhone });
    return ok({ data: presentBrand(await getBusiness(ctx)) });
  },
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
