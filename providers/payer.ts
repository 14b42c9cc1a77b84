/** The payer that a bank asks for. It is made for one account, so that it tells the bank nothing about a person. */
export interface Payer {
  name: string;
  email: string;
}

/** A host name that can be that of an email address. Others are IP addresses and names of this machine. */
const MAIL_HOST = /^[a-z0-9.-]+\.[a-z]{2,}$/i;

const mailHostOf = (host: string): string => (MAIL_HOST.test(host) ? host.toLowerCase() : "payers.example");

/** Returns the payer of an account, for the host of this service. The email names the account, because some notices name nothing else; no mail is read there. */
export const payerOf = (accountReference: string, host: string): Payer => ({
  name: "Customer",
  email: `${accountReference.toLowerCase()}@${mailHostOf(host)}`,
});

const REFERENCE = /^([0-9a-z-]{1,64})@(.+)$/;

/** Returns our reference for the account that an email of `payerOf` names, or undefined for any other email. References have no small letters. */
export function accountOfPayer(email: string, host: string): string | undefined {
  const [, reference, itsHost] = REFERENCE.exec(email.toLowerCase()) ?? [];
  return itsHost === mailHostOf(host) ? reference?.toUpperCase() : undefined;
}
