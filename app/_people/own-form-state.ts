import { headers } from "next/headers";
import { type FormState, formStateIn } from "./form-state.ts";

/** Returns what a form of the page that is shown says. Empty for a page that is opened for the first time. */
export const readFormState = async (form: string): Promise<FormState> => formStateIn((await headers()).get("cookie") ?? "", form);
