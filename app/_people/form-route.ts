import type { z } from "zod";
import { clientAddressOf } from "#app/_http/client-address-of.ts";
import { requireOwnOrigin } from "#app/_http/own-origin.ts";
import { htmlResponse } from "#app/html-response.ts";
import { publicRoute } from "#app/public-route.ts";
import { cookieIn } from "#lib/cookies.ts";
import { settings } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";
import { Problem } from "#lib/problem.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { type Context, strangerContext } from "#services/context.ts";
import type { Browser } from "#services/users/index.ts";
import { clearFormState, type FormState, setFormState } from "./form-state.ts";

/** The result of a form: the page to redirect to, cookies to set, and the message to show there. */
export interface Next {
  to: string;
  cookies?: string[];
  state?: Pick<FormState, "form"> & Partial<FormState>;
}

interface Form<Fields extends z.ZodObject> {
  /** The form's name, by which its page finds the message of the form. */
  name: string;
  fields: Fields;
  /** The fields that are shown again after a refusal. Never a password or a code. */
  kept: (keyof z.input<Fields> & string)[];
  /** The page of the form, with what it needs in its query. */
  page: (given: Partial<Record<string, string>>) => string;
}

export interface Sender {
  ctx: Context;
  browser: Browser;
  /** The Cookie header. */
  cookies: string;
}

/** A form may hash a password or send a mail: a network gets thirty a second, and not three hundred. */
export const COST_OF_FORM = 10;
/** The longest valid value is an email. Longer ones are not kept, because a cookie holds 4 KB in all. */
const MAX_KEPT = 254;
/** The longest form has a token, a password of 128 characters and an email. A character may take 12 bytes. */
const MAX_BYTES = 8 * 1024;

/** Shown when too many passwords wait to be hashed. */
export const BUSY = "Many people are signing in just now. Try again in a few seconds.";

/** Returns the sender of a form: a person who has not proved yet who they are. */
export function senderOf(request: Request): Sender {
  const cookies = request.headers.get("cookie") ?? "";
  return {
    ctx: strangerContext("sign-in", { requestId: newId("request"), address: clientAddressOf(request) }),
    browser: {
      device: cookieIn(cookies, "device") ?? null,
      session: cookieIn(cookies, "session") ?? null,
      userAgent: request.headers.get("user-agent"),
    },
    cookies,
  };
}

/**
 * Returns the route of a form that works without JavaScript: it answers 303 to a page. A form that is refused leads back to its own page,
 * which shows what was typed and what is wrong.
 */
export function formRoute<Fields extends z.ZodObject>(
  form: Form<Fields>,
  handle: (sender: Sender, fields: z.output<Fields>) => Promise<Next>,
): (request: Request, next: unknown) => Promise<Response> {
  const empty = Object.fromEntries(Object.keys(form.fields.shape).map((name) => [name, ""]));
  return publicRoute(
    async (request) => {
      const foreign = refusalOfForeign(request);
      if (foreign) return foreign;
      const given = await readFields(request);
      const sender = senderOf(request);
      const state = {
        form: form.name,
        values: Object.fromEntries(form.kept.map((name) => [name, (given[name] ?? "").slice(0, MAX_KEPT)])),
      };
      const parsed = form.fields.safeParse({ ...empty, ...given });
      if (!parsed.success) return redirect({ to: form.page(given), state: { ...state, errors: byField(parsed.error.issues) } });
      try {
        const next = await handle(sender, parsed.data);
        return redirect(next.state ? { ...next, state: { ...next.state, values: { ...state.values, ...next.state.values } } } : next);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.code === "VALIDATION_ERROR") return redirect({ to: form.page(given), state: { ...state, errors: byParam(error) } });
        if (error.code !== "RATE_LIMITED") throw error;
        return redirect({ to: form.page(given), state: { ...state, notice: { kind: "danger", text: BUSY } } });
      }
    },
    { pages: COST_OF_FORM },
  );
}

/** Returns a refusal of a form that a page of another address sent. */
export function refusalOfForeign(request: Request): Response | undefined {
  try {
    requireOwnOrigin(request);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { origin } = new URL(settings().DASHBOARD_URL);
    const there = `<a href="${origin}/sign-in">${origin}</a>`;
    return htmlResponse(
      "This form came from another address",
      `<p>Forms are taken from ${there} only. Open the page there, and fill the form in again.</p>`,
      403,
    );
  }
}

async function readFields(request: Request): Promise<Partial<Record<string, string>>> {
  const bytes = await readAtMost(request, MAX_BYTES);
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}

/** Returns a 303. Clears the message of an earlier refusal, so that the next page does not show it. */
function redirect({ to, cookies = [], state }: Next): Response {
  const headers = new Headers({ Location: to, "Cache-Control": "no-store" });
  for (const cookie of [...cookies, state ? setFormState(state) : clearFormState()]) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

const byField = (issues: readonly z.core.$ZodIssue[]): Record<string, string> =>
  Object.fromEntries(issues.toReversed().map(({ path, message }) => [String(path[0] ?? ""), message]));

const byParam = ({ errors, message }: Problem): Record<string, string> =>
  errors.length === 0 ? { "": message } : Object.fromEntries(errors.map((each) => [each.param, each.message]));
