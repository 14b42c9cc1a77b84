/** Also in public/favicon.svg. An awning of three scallops, and below it an open bag that stands on the ground. */
export const SIGN =
  "M4.6 3h14.8l2.1 5.2a3.3 3.3 0 0 1-6.3 1.4 3.4 3.4 0 0 1-6.4 0 3.3 3.3 0 0 1-6.3-1.4ZM4.5 13.1a5 5 0 0 0 2.5-.8v4.2a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2v-4.2a5 5 0 0 0 2.5.8v3.4a4.5 4.5 0 0 1-4.5 4.5H9a4.5 4.5 0 0 1-4.5-4.5Z";
