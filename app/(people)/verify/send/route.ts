import { refuseOtherThan } from "#app/_http/refusals.ts";
import { codePage } from "#app/_people/code-page.ts";
import { formRoute, type Next } from "#app/_people/form-route.ts";
import { signedIn } from "#app/_people/signed-in.ts";
import { tooManyTries } from "#app/_people/waiting-time.ts";
import { setCookie } from "#lib/cookies.ts";
import { VerifyForm, verifyEmail } from "#services/users/index.ts";

const NAME = "verify";
const USED =
  "This link does not work any more: it was used, it is older than three days, or a newer one was sent. Sign in, and we send a new one.";
const WRONG =
  "This is not the password of this account. If you did not choose one, somebody else signed up with your address: choose a new password.";

const page = ({ token = "" }: { token?: string }) => `/verify?token=${encodeURIComponent(token)}`;

export const POST = formRoute({ name: NAME, fields: VerifyForm, kept: [], page }, async ({ ctx, browser }, fields): Promise<Next> => {
  const result = await verifyEmail(ctx, { ...fields, ...browser });
  switch (result.status) {
    case "verified":
      return signedIn(result, undefined);
    case "second_factor":
      return { to: codePage(result.factors, undefined), cookies: [setCookie("ticket", result.ticket)] };
    case "wrong":
      return { to: page(fields), state: { form: NAME, errors: { password: WRONG } } };
    case "wait": {
      const text = tooManyTries(result.waitSeconds);
      return { to: page(fields), state: { form: NAME, notice: { kind: "danger", text } } };
    }
    case "link_ended":
      return { to: "/sign-in", state: { form: "sign-in", notice: { kind: "warning", text: USED } } };
  }
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
