/** Our server adds these headers to requests for pages, and removes them from what a client sends. */

/** The path and query of the page. */
export const TARGET_HEADER = "oja-target";
/** Present if no proxy has forwarded the request. Next adds forwarding headers by itself, so a page cannot tell. */
export const DIRECT_HEADER = "oja-direct";
