import type { Product } from "../vtu/index.ts";

/** The names of the trade, by what begins the name of a disco in the list. */
const OF_THE_TRADE: Record<string, readonly string[]> = {
  ikeja: ["ie", "ikedc", "ikedp"],
  eko: ["ekedc", "ekedp"],
  abuja: ["aedc"],
  ibadan: ["ibedc"],
  enugu: ["eedc"],
  portharcourt: ["phed", "phedc", "ph"],
  kano: ["kedco"],
  kaduna: ["kaedco", "kaedc"],
  jos: ["jed", "jedc", "jedplc"],
  benin: ["bedc"],
  yola: ["yedc"],
  aba: ["apl", "aple", "abapower", "abedc"],
};

/** Words that a disco's name may have or not. */
const COMMON = /(?:electricitydistribution|electricity|electric|distribution|disco|company|plc|power)+$/;

/** Returns the name of a disco as it is compared: letters and digits alone. */
export const plainDisco = (name: string): string => withoutCommon(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));

const withoutCommon = (name: string) => name.replace(COMMON, "") || name;

/** Returns the names that a file may have for a disco: its brand, its name with and without what is in brackets, and those of the trade. */
export function namesOfDisco({ name, brand }: Product): string[] {
  const inBrackets = /\(([^)]*)\)/.exec(name)?.[1] ?? "";
  const own = plainDisco(name.replace(/\([^)]*\)/, ""));
  const trade = OF_THE_TRADE[plainDisco(brand)] ?? OF_THE_TRADE[own] ?? [];
  return [...new Set([plainDisco(name), own, plainDisco(brand), plainDisco(inBrackets), ...trade])].filter((each) => each !== "");
}
