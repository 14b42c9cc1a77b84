/** Times that the page as it is made and the script that goes on from there must agree on. */

export const EXPIRING_FOR_S = 5 * 60;
/** After "I've sent the money": from then on it takes long. */
export const LONG_AFTER_S = 60;
export const RETURN_AFTER_S = 5;
/** Time to read what has happened, where nothing can say how many seconds are left. */
export const NO_SCRIPT_RETURN_AFTER_S = 20;
