/**
 * The cookie that takes the first steps off a member's home of one merchant. Its value is the member, because people share browsers. Not a
 * column: another browser that shows the steps once more does no harm.
 */
export const stepsCookieOf = (merchantId: string): string => `oja-steps-away-${merchantId}`;
