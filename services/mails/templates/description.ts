import { settings } from "#lib/env.ts";
import { lagosDateTime } from "#lib/time.ts";
import { quoted } from "../quoted.ts";

/** A link with its words. */
export interface Action {
  label: string;
  link: string;
}

/** The content of a mail, from which its text and its HTML are made. */
export interface MailDescription {
  /** Also the heading. */
  subject: string;
  /** The line that a list of mails shows beside the subject. */
  preheader: string;
  paragraphs: string[];
  /** Facts as label and value. */
  facts?: [label: string, value: string][];
  button: Action;
  /** A second link, shown smaller. */
  otherAction?: Action;
  footnote: string;
}

/** Returns the first line of a mail. */
export function greeting(name: string): string {
  const shown = quoted(name);
  return shown === "" ? "Hello," : `Hello ${shown},`;
}

/** Returns the normal form of a link. Throws an Error if it does not lead to DASHBOARD_URL: no mail of ours leads anywhere else. */
export function ownLink(link: string): string {
  const { href, origin, username } = new URL(link);
  if (origin !== new URL(settings().DASHBOARD_URL).origin || username !== "")
    throw new Error("a link in a mail must lead to DASHBOARD_URL");
  return href;
}

/** Returns date and time in Lagos, with the zone's name. */
export const namedTime = (date: Date): string => `${lagosDateTime(date)} (West Africa Time)`;

/** Returns the time at which a link ends that is made now. A mail may arrive late, so a period alone would mislead. */
export const endOfLink = (worksForMs: number): string => namedTime(new Date(Date.now() + worksForMs));

/** A paragraph of each mail about a change of how its reader signs in. */
export const NOT_ME =
  "If it was not you, somebody else may be in your account. Open the link below within 30 days: it signs out every browser, undoes what a stranger can have done since, and lets you choose a new password.";
