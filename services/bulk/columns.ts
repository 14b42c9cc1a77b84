import { invalid } from "#lib/problem.ts";

export type BulkService = "airtime" | "data" | "cable" | "electricity";

/** The columns that a file may have. */
export type Column = "phone" | "network" | "amount" | "plan" | "smartCard" | "meter" | "disco" | "meterType";

/** The names of each column, without case, spaces and punctuation. The first is the one that messages use. */
const NAMES: Record<Column, readonly string[]> = {
  phone: ["phone", "phonenumber", "phoneno", "mobile", "mobilenumber", "msisdn"],
  network: ["network"],
  amount: ["amount", "amountnaira", "amountngn", "naira"],
  plan: ["planid", "plan", "dataplanid", "dataplan", "cableplanid", "cableplan"],
  smartCard: ["smartcard", "smartcardnumber", "smartcardno", "iuc", "iucnumber"],
  meter: ["meter", "meternumber", "meterno"],
  disco: ["disco", "discoid"],
  meterType: ["metertype"],
};

const REQUIRED: Record<BulkService, readonly Column[]> = {
  airtime: ["phone", "amount"],
  data: ["phone", "plan"],
  cable: ["smartCard", "plan"],
  electricity: ["meter", "disco", "meterType", "amount"],
};

const ADVICE =
  "Name the columns in the first row. Airtime: phone, amount and, if you like, network. Data: phone, plan id. Cable: smart card, plan id. Electricity: meter, disco, meter type, amount.";

const compact = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

export interface Header {
  service: BulkService;
  /** Where each column is. */
  at: Partial<Record<Column, number>>;
  /** The names of all columns in the file, including those that are not read. */
  names: string[];
}

/**
 * Returns the columns in a file's first row, and the service that follows from them. Other columns are stored but not read. In our own
 * files, which have the columns of every service, a column without a filled cell is not read. Throws VALIDATION_ERROR.
 */
export function readHeader(cells: string[], isFilled: (column: number) => boolean): Header {
  const at: Header["at"] = {};
  for (const [n, cell] of cells.entries()) {
    const column = (Object.keys(NAMES) as Column[]).find((each) => NAMES[each].includes(compact(cell)));
    if (column === undefined) continue;
    if (at[column] !== undefined) throw invalid("body", `Two columns are ${NAMES[column][0]}. Keep one of them.`);
    at[column] = n;
  }
  if (isOurs(at)) leaveOutEmpty(at, isFilled);
  const service = serviceOf(at);
  const missing = REQUIRED[service].filter((column) => at[column] === undefined);
  if (missing.length > 0) throw invalid("body", `The column ${missing.map((each) => NAMES[each][0]).join(", ")} is missing. ${ADVICE}`);
  return { service, at, names: cells };
}

/** Our own files of rows and of purchases have every column, and fill those of one service. */
const isOurs = (at: Header["at"]) => (Object.keys(NAMES) as Column[]).every((column) => at[column] !== undefined);

/**
 * In a file that is not our own, an empty column is a mistake: without it, a file of data plans would be one of airtime. Our file has the network of
 * airtime.
 */
function leaveOutEmpty(at: Header["at"], isFilled: (column: number) => boolean): void {
  const isEmpty = (column: Column) => !isFilled(at[column] ?? -1);
  for (const column of ["smartCard", "meter"] as const) if (isEmpty(column)) delete at[column];
  if (isEmpty("phone") && (at.smartCard !== undefined || at.meter !== undefined)) delete at.phone;
  if (isEmpty("plan") && !isEmpty("network")) delete at.plan;
}

function serviceOf(at: Header["at"]): BulkService {
  const has = (column: Column) => at[column] !== undefined;
  if ([has("meter"), has("smartCard"), has("phone")].filter(Boolean).length > 1) {
    throw invalid(
      "body",
      "Some columns belong to different services. Send a file for each, or name a column that is not to be read otherwise.",
    );
  }
  if (has("meter")) return "electricity";
  if (has("smartCard")) return "cable";
  if (!has("phone")) throw invalid("body", ADVICE);
  return has("plan") ? "data" : "airtime";
}

/** Returns a cell of a row as typed, or "" if the file has no such column. */
export const typedCell = (cells: Record<string, string>, column: Column): string =>
  Object.entries(cells).find(([name]) => NAMES[column].includes(compact(name)))?.[1] ?? "";

const RECIPIENTS = [NAMES.phone, NAMES.smartCard, NAMES.meter].flat();

/** Returns the phone, meter or card number of a row as typed, or "" if its cell is empty. */
export const typedRecipient = (cells: Record<string, string>): string =>
  Object.entries(cells).find(([name]) => RECIPIENTS.includes(compact(name)))?.[1] ?? "";
