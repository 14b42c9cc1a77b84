export { toNairaDown, toNairaUp, toRate, toRateNumber } from "./convert.ts";
export { currentRate, type ExchangeRate, lastRate, setRate } from "./rates.ts";
export { ExchangeRateList, presentRate } from "./schemas.ts";
