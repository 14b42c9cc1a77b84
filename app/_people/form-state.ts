import { headers } from "next/headers";
import { z } from "zod";
import { clearCookie, cookieIn, setCookie } from "#lib/cookies.ts";
import { CannotOpen, open, seal } from "#lib/sealed.ts";

const FormState = z.strictObject({
  form: z.string(),
  /** What was typed, without passwords and codes. */
  values: z.record(z.string(), z.string()).default({}),
  /** What is wrong, by field. */
  errors: z.record(z.string(), z.string()).default({}),
  /** What is wrong with no field in particular, or what to do next. */
  notice: z.object({ kind: z.enum(["info", "success", "warning", "danger"]), text: z.string() }).optional(),
});

/** What a form says when its page is shown again. It is in a cookie for two minutes, so forms work without JavaScript. */
export type FormState = z.output<typeof FormState>;

/** Sealed, so that a host beside ours cannot put words on our pages by a cookie. */
const BELONGS_TO = "form";

export const setFormState = (state: z.input<typeof FormState>): string =>
  setCookie("form", seal("form", JSON.stringify(FormState.parse(state)), BELONGS_TO));
export const clearFormState = (): string => clearCookie("form");

/** Returns what a form of the page that is shown says. Empty for a page that is opened for the first time. */
export async function readFormState(form: string): Promise<FormState> {
  const state = parse(cookieIn((await headers()).get("cookie") ?? "", "form"));
  return state?.form === form ? state : { form, values: {}, errors: {} };
}

function parse(sealed: string | undefined): FormState | undefined {
  if (sealed === undefined) return undefined;
  try {
    return FormState.safeParse(JSON.parse(open("form", sealed, BELONGS_TO))).data;
  } catch (error) {
    if (error instanceof CannotOpen) return undefined;
    throw error;
  }
}
