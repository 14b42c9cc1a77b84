export { alertOnEndingRates } from "./alert-on-ending-rates.ts";
export { ExchangeRateList } from "./contract.ts";
export { toNairaDown, toNairaUp, toRate, toRateNumber } from "./convert.ts";
export { presentRate } from "./present.ts";
export { currentRate, type ExchangeRate, findCurrentRate, lastRate } from "./rates.ts";
export { setRate } from "./set-rate.ts";
