/** The platform's own business. Its members are operators, and its merchants have the money and the alerts of nobody else. */
export const PLATFORM_BUSINESS = "biz_platform";
