import { z } from "zod";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { sessionIn } from "#app/_people/session-in.ts";
import { clearCookie } from "#lib/cookies.ts";
import { signOut } from "#services/sessions/index.ts";

/** Needs no membership: a person who was removed from a business can sign out. A second click finds no session, and that is fine. */
export const POST = formRoute({ name: "sign-out", fields: z.object({}), kept: [], page: () => "/sign-in" }, async ({ ctx, cookies }) => {
  const session = await sessionIn(cookies);
  if (session) await signOut({ ...ctx, actor: { type: "member", id: session.userId } }, session.id);
  const notice = { kind: "success" as const, text: "You are signed out." };
  return { to: "/sign-in", cookies: [clearCookie("session"), clearCookie("ticket")], state: { form: "sign-in", notice } };
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
