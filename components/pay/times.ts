/** Times that the server's page and the page's script must share, in seconds. */

export const EXPIRING_FOR_S = 5 * 60;
export const LAST_MINUTE_S = 60;
/** After "I've sent the money": from this age on, the page reads "still checking". */
export const LONG_AFTER_S = 60;
export const RETURN_AFTER_S = 5;
/** Longer than with script, because a page without script cannot count the seconds down. */
export const NO_SCRIPT_RETURN_AFTER_S = 20;
