import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { returnTo, signInPage } from "#app/_people/return-to.ts";
import { sessionIn } from "#app/_people/session-in.ts";
import { NewBusinessForm, openBusiness } from "#services/merchants/index.ts";

const PAGE = "/businesses/new";

export const POST = formRoute(
  { name: "business", fields: NewBusinessForm, kept: ["business"], page: () => PAGE },
  async ({ ctx, cookies }, { business }) => {
    const session = await sessionIn(cookies);
    if (!session) return { to: signInPage(PAGE) };
    const { businessId } = await openBusiness({ ...ctx, actor: { type: "member", id: session.userId } }, business);
    const [, mode] = returnTo(undefined).split("/");
    return { to: `/b/${businessId}/${mode}` };
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
