/** The sandbox bank's code. No bank has it: the Central Bank of Nigeria gives three digits to banks and six that begin with 9 or 5 to others. */
export const SANDBOX_BANK_CODE = "000";
export const SANDBOX_BANK_NAME = "Sandbox Bank (test)";

const WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

/** The tenth digit of a NUBAN: CBN, "Standards on Nigeria Uniform Bank Account Number (NUBAN) Scheme", 2020, for banks with a code of three digits. */
export function nubanCheckDigit(bankCode: string, serial: string): number {
  const digits = [...(bankCode + serial)].map(Number);
  const sum = digits.reduce((total, digit, i) => total + digit * (WEIGHTS[i] ?? 0), 0);
  return (10 - (sum % 10)) % 10;
}

/** An account number of ten digits from a serial below one billion. */
export function accountNumberFrom(serial: bigint): string {
  const digits = String(serial).padStart(9, "0");
  return `${digits}${nubanCheckDigit(SANDBOX_BANK_CODE, digits)}`;
}
