export { toNairaDown, toNairaUp, toRate, toRateNumber } from "./convert.ts";
export { currentRate, type ExchangeRate, lastRate } from "./rates.ts";
export { ExchangeRateList, presentRate } from "./schemas.ts";
export { setRate } from "./set-rate.ts";
