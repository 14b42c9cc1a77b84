/** The sentence under our name in lists of search engines. */
export const DESCRIPTION = "Payment links, virtual cards and top-ups for Nigeria.";

/** The ground of a page, which a phone puts around it. */
export const THEME_COLOURS = [
  { media: "(prefers-color-scheme: light)", color: "#f6f7f6" },
  { media: "(prefers-color-scheme: dark)", color: "#0e1412" },
];
