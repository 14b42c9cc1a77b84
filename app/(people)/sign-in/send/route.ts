import { refuseOtherThan } from "#app/_http/refusals.ts";
import { codePage } from "#app/_people/code-page.ts";
import { formRoute, type Next } from "#app/_people/form-route.ts";
import { signInPage } from "#app/_people/return-to.ts";
import { signedIn } from "#app/_people/signed-in.ts";
import { tooManyTries } from "#app/_people/waiting-time.ts";
import { setCookie } from "#lib/cookies.ts";
import { SignInForm, signIn } from "#services/users/index.ts";

const NAME = "sign-in";
const page = ({ next = "" }: { next?: string }) => signInPage(next);

export const POST = formRoute(
  { name: NAME, fields: SignInForm, kept: ["email"], page },
  async ({ ctx, browser }, fields): Promise<Next> => {
    const result = await signIn(ctx, { ...fields, ...browser });
    const again = (text: string): Next => ({ to: page(fields), state: { form: NAME, notice: { kind: "danger", text } } });
    switch (result.status) {
      case "signed_in":
        return signedIn(result, fields.next);
      case "second_factor":
        return { to: codePage(result.factors, fields.next), cookies: [setCookie("ticket", result.ticket)] };
      case "unverified":
        return { to: "/verify", state: { form: "verify" } };
      case "wait":
        return again(tooManyTries(result.waitSeconds));
      case "wrong":
        return again("Email or password is wrong.");
    }
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
