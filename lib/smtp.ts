import { isLoopback } from "./public-address.ts";

/** A server that takes mails from us. */
export interface SmtpServer {
  host: string;
  /** Undefined: 465 with TLS from the start, else 587. */
  port: number | undefined;
  /** How the connection is encrypted: from its start, by STARTTLS before anything else is said, or not at all (this machine only). */
  encryption: "tls" | "starttls" | "none";
  /** Undefined if the server needs no sign-in. */
  signIn: { user: string; password: string } | undefined;
}

/** A sender or recipient. */
export interface Mailbox {
  name: string;
  address: string;
}

/** Returns the server of `smtps://user:password@host:port` or `smtp://…`, or undefined if the text is no such address. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  try {
    const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
    const isSmtp = protocol === "smtp:" || protocol === "smtps:";
    if (!isSmtp || hostname === "" || port === "0" || !["", "/"].includes(pathname) || search || hash) return undefined;
    if ((username === "") !== (password === "")) return undefined;
    const host = decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1");
    return {
      host,
      port: port === "" ? undefined : Number(port),
      encryption: protocol === "smtps:" ? "tls" : isThisMachine(host) ? "none" : "starttls",
      signIn: username === "" ? undefined : { user: decodeURIComponent(username), password: decodeURIComponent(password) },
    };
  } catch {
    return undefined;
  }
}

const isThisMachine = (host: string): boolean => host.toLowerCase() === "localhost" || isLoopback(host);

const ADDRESS = String.raw`[\w.+-]+@[A-Za-z0-9.[\]:-]+`;
const NAMED = new RegExp(String.raw`^(?<name>[^<>"@,;:\\\p{Cc}]{1,60}) <(?<address>${ADDRESS})>$`, "u");
const BARE = new RegExp(`^${ADDRESS}$`);

/** Returns the mailbox of `Name <address>` or `address`, or undefined if the text is neither. */
export function parseMailbox(text: string): Mailbox | undefined {
  if (BARE.test(text)) return { name: "", address: text };
  const { name, address } = NAMED.exec(text)?.groups ?? {};
  return name === undefined || address === undefined ? undefined : { name: name.trim(), address };
}
