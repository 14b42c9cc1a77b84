import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import {
  BrandObject,
  getBusiness,
  LogoQuery,
  MAX_UPLOAD_BYTES,
  PICTURE_TYPES,
  Picture,
  presentBrand,
  setBrand,
} from "#services/merchants/index.ts";

/**
 * A picture is held in memory while it arrives and is then decoded: no other request costs more. The limit is per business, not per
 * session, because a member may open many sessions. Five at once and one every ten seconds are more than a person who tries pictures sends.
 */
const LIMIT = { name: "logos", perSecond: 0.1, burst: 5 } as const;

export const POST = dashboardRoute(
  {
    name: "uploadLogo",
    summary: "Give the business another logo: the bytes of a PNG, JPEG or WebP picture",
    permission: setBrand.needs.permission,
    limit: LIMIT,
    query: LogoQuery,
    body: Picture,
    file: { types: PICTURE_TYPES, maxBytes: MAX_UPLOAD_BYTES },
    returns: { 200: dataOf(BrandObject) },
    errors: ["VERSION_CONFLICT"],
    replay: {
      newResourceId: () => "uploadLogo",
      afterLostAnswer: "answers",
      present: async (ctx) => ({ data: presentBrand(await getBusiness(ctx)) }),
    },
  },
  async (ctx, { query: { version }, body: logo }) => {
    await setBrand({ ...ctx, businessId: ctx.merchant.businessId }, { logo, version });
    return ok({ data: presentBrand(await getBusiness(ctx)) });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
