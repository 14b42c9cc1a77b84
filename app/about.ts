/** The sentence under our name in lists of search engines. */
export const DESCRIPTION = "Payment links, virtual cards and top-ups for Nigeria.";

/** The background colour of a page. A phone colours its bars with it. */
export const THEME_COLOURS = [
  { media: "(prefers-color-scheme: light)", color: "#f6f7f6" },
  { media: "(prefers-color-scheme: dark)", color: "#0e1412" },
];
