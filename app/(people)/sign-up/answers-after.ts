/** Longer than signing up takes, so that the time does not tell whether the email has an account. */
export const ANSWERS_AFTER_MS = 700;
