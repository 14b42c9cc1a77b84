/** The code of the sandbox bank. No real bank has it: the Central Bank of Nigeria gives banks other three digits, and others six digits that begin with 9 or 5. */
export const SANDBOX_BANK_CODE = "000";
export const SANDBOX_BANK_NAME = "Sandbox Bank (test)";

const WEIGHTS = [3, 7, 3, 3, 7, 3, 3, 7, 3, 3, 7, 3];

/** Returns the tenth digit of a NUBAN for a bank code of three digits: CBN, "Standards on Nigeria Uniform Bank Account Number (NUBAN) Scheme", 2020. */
export function nubanCheckDigit(bankCode: string, serial: string): number {
  const digits = [...(bankCode + serial)].map(Number);
  const sum = digits.reduce((total, digit, i) => total + digit * (WEIGHTS[i] ?? 0), 0);
  return (10 - (sum % 10)) % 10;
}

/** Returns an account number of ten digits for a serial below one billion. */
export function accountNumberFrom(serial: bigint): string {
  const digits = String(serial).padStart(9, "0");
  return `${digits}${nubanCheckDigit(SANDBOX_BANK_CODE, digits)}`;
}
