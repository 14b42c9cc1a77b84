import { refuseOtherThan } from "#app/_http/refusals.ts";
import { codePage, stepsIn } from "#app/_people/code-page.ts";
import { formRoute, type Next } from "#app/_people/form-route.ts";
import { signInPage } from "#app/_people/return-to.ts";
import { signedIn } from "#app/_people/signed-in.ts";
import { tooManyTries } from "#app/_people/waiting-time.ts";
import { clearCookie, cookieIn } from "#lib/cookies.ts";
import { CodeForm, signInWithCode } from "#services/users/index.ts";

const NAME = "code";
/** The page of the form, as it was: asking for the same kind of code. */
const page = ({ next, by = "" }: { next?: string; by?: string }) => codePage(stepsIn(by), next);

export const POST = formRoute(
  { name: NAME, fields: CodeForm, kept: [], page },
  async ({ ctx, browser, cookies }, { code, next, by }): Promise<Next> => {
    const again = (text: string): Next => ({ to: page({ next, by }), state: { form: NAME, errors: { code: text } } });
    const ticket = cookieIn(cookies, "ticket") ?? "";
    const result = await signInWithCode(ctx, { ticket, code, ...browser });
    switch (result.status) {
      case "signed_in":
        return signedIn(result, next);
      case "wait":
        return again(tooManyTries(result.waitSeconds));
      case "wrong":
        return again("This code is wrong, or it was used already. Each code works once.");
      case "expired":
        return {
          to: signInPage(next),
          cookies: [clearCookie("ticket")],
          state: { form: "sign-in", notice: { kind: "warning", text: "The second step took longer than ten minutes. Sign in again." } },
        };
    }
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
