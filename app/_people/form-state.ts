import { z } from "zod";
import { clearCookie, cookieIn, setCookie } from "#lib/cookies.ts";
import { CannotOpen, open, seal } from "#lib/sealed.ts";
import { MINUTE_MS } from "#lib/time.ts";

const FormState = z.strictObject({
  form: z.string(),
  /** The time in milliseconds when it expires, because a browser may keep the cookie longer than it should. */
  until: z.number(),
  /** What was typed, without passwords and codes. */
  values: z.record(z.string(), z.string()).default({}),
  /** What is wrong, by field. */
  errors: z.record(z.string(), z.string()).default({}),
  /** What is wrong with no field in particular, or what to do next. */
  notice: z.object({ kind: z.enum(["info", "success", "warning", "danger"]), text: z.string() }).optional(),
});

/** What a form says when its page is shown again. It is in a cookie for two minutes, so forms work without JavaScript. */
export type FormState = Omit<z.output<typeof FormState>, "until">;

const SHOWN_FOR_MS = 2 * MINUTE_MS;
/** The cookie is sealed, because another host of the same domain could set it and so put its own text on our pages. */
const BELONGS_TO = "form";

export const setFormState = (state: Omit<z.input<typeof FormState>, "until">): string =>
  setCookie("form", seal("form", JSON.stringify(FormState.parse({ ...state, until: Date.now() + SHOWN_FOR_MS })), BELONGS_TO));
export const clearFormState = (): string => clearCookie("form");

/** Returns what a form of the page that is asked for says, from a Cookie header. Empty for a page that is opened for the first time. */
export function formStateIn(cookies: string, form: string): FormState {
  const state = parse(cookieIn(cookies, "form"));
  return state?.form === form && state.until > Date.now() ? state : { form, values: {}, errors: {} };
}

function parse(sealed: string | undefined): z.output<typeof FormState> | undefined {
  if (sealed === undefined) return undefined;
  try {
    return FormState.safeParse(JSON.parse(open("form", sealed, BELONGS_TO))).data;
  } catch (error) {
    if (error instanceof CannotOpen) return undefined;
    throw error;
  }
}
