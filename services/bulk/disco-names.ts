import type { Product } from "../vtu/index.ts";

/** Common names of discos, by the beginning of the name in the list. */
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

/** Words that may be left out at the end of a disco's name. */
const COMMON = ["electricity", "electric", "distribution", "disco", "company", "plc", "power"];

/** No disco has a longer name. */
const MAX_NAME = 60;

/** Returns the name of a disco as it is compared: letters and digits alone, without common words at its end. Empty for text of more than 60 characters. */
export function plainDisco(name: string): string {
  if (name.length > MAX_NAME) return "";
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return withoutCommon(plain) || plain;
}

function withoutCommon(plain: string): string {
  const last = COMMON.find((word) => plain.endsWith(word));
  return last === undefined ? plain : withoutCommon(plain.slice(0, -last.length));
}

/** Returns the accepted names of a disco: its brand, its name with and without the part in brackets, and common names. */
export function namesOfDisco({ name, brand }: Product): string[] {
  const inBrackets = /\(([^)]*)\)/.exec(name)?.[1] ?? "";
  const own = plainDisco(name.replace(/\([^)]*\)/, ""));
  const trade = OF_THE_TRADE[plainDisco(brand)] ?? OF_THE_TRADE[own] ?? [];
  return [...new Set([plainDisco(name), own, plainDisco(brand), plainDisco(inBrackets), ...trade])].filter((each) => each !== "");
}
