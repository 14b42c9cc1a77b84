import { z } from "zod";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { sessionIn } from "#app/_people/own-session.ts";
import { returnTo, signInPage } from "#app/_people/return-to.ts";
import { acceptInvitation } from "#services/members/index.ts";

const optional = z.string().max(100).default("");
/** The token of a link, or the business and the id of an invitation that the page of the person lists. */
const Fields = z.object({ token: optional, business: optional, id: optional });

const pageOf = ({ token }: { token?: string }) => (token ? `/invitations?token=${encodeURIComponent(token)}` : "/no-business");

export const POST = formRoute({ name: "invitation", fields: Fields, kept: [], page: pageOf }, async ({ ctx, cookies }, fields) => {
  const session = await sessionIn(cookies);
  if (!session) return { to: signInPage(pageOf(fields)) };
  const { token, business: businessId, id } = fields;
  const named = token === "" ? { businessId, id } : { token };
  const accepted = await acceptInvitation({ ...ctx, actor: { type: "member", id: session.userId } }, named);
  if (accepted.status !== "joined") return { to: pageOf(fields), state: { form: "invitation", notice: { kind: "warning", text: ENDED } } };
  const [, mode] = returnTo(undefined).split("/");
  return { to: `/b/${accepted.businessId}/${mode}` };
});

const ENDED = "This invitation has ended. Ask the person who invited you to send another one.";

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
