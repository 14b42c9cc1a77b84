export { bankFor, bankNamed, modeOf, sandboxBankFor } from "./bank-for.ts";
