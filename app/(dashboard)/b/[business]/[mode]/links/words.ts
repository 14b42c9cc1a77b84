/** Shown where links cannot be created because no bank opens accounts for the mode. */
export const NO_BANK = {
  title: "Payment links are not set up in live mode yet.",
  text: "No bank opens accounts for your business yet. Ask the people who run this service.",
};
