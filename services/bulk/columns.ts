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
  /** Every column as it is named in the file, also those that are not read. */
  names: string[];
}

/**
 * Returns what a file's first row says: its columns and, by them, the service. Columns by other names are kept and not read. Of columns that belong
 * to different services, those without a filled cell are not read either: our own files have them all. Throws VALIDATION_ERROR.
 */
export function readHeader(cells: string[], isFilled: (column: number) => boolean): Header {
  const at: Header["at"] = {};
  for (const [n, cell] of cells.entries()) {
    const column = (Object.keys(NAMES) as Column[]).find((each) => NAMES[each].includes(compact(cell)));
    if (column === undefined) continue;
    if (at[column] !== undefined) throw invalid("body", `Two columns are ${NAMES[column][0]}. Keep one of them.`);
    at[column] = n;
  }
  leaveOutEmpty(at, ["phone", "smartCard", "meter"], isFilled);
  if (!isFilled(at.plan ?? -1) && at.amount !== undefined) delete at.plan;
  const service = serviceOf(at);
  const missing = REQUIRED[service].filter((column) => at[column] === undefined);
  if (missing.length > 0) throw invalid("body", `The column ${missing.map((each) => NAMES[each][0]).join(", ")} is missing. ${ADVICE}`);
  return { service, at, names: cells };
}

function leaveOutEmpty(at: Header["at"], columns: readonly Column[], isFilled: (column: number) => boolean): void {
  const filled = columns.filter((column) => isFilled(at[column] ?? -1));
  if (filled.length === 0) return;
  for (const column of columns) if (!filled.includes(column)) delete at[column];
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

/** Returns a cell of a row as the file has it: empty where there is no such column. */
export const typedCell = (cells: Record<string, string>, column: Column): string =>
  Object.entries(cells).find(([name]) => NAMES[column].includes(compact(name)))?.[1] ?? "";

const RECIPIENTS = [NAMES.phone, NAMES.smartCard, NAMES.meter].flat();

/** Returns the number of a row as the file has it: empty where its cell is. */
export const typedRecipient = (cells: Record<string, string>): string =>
  Object.entries(cells).find(([name]) => RECIPIENTS.includes(compact(name)))?.[1] ?? "";
