import { readFileSync } from "node:fs";
import { z } from "zod";
import { toBlockList } from "./peer.ts";
import { isLoopback } from "./public-address.ts";
import { type Mailbox, parseMailbox, parseSmtpUrl } from "./smtp.ts";

const flag = (byDefault: "0" | "1") =>
  z
    .enum(["0", "1"])
    .default(byDefault)
    .transform((value) => value === "1");

const itemsOf = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

const MIN_SECRET = 32;
const secretKey = z
  .string()
  .regex(/^[^,]*$/, "must have no comma")
  .min(MIN_SECRET, `must be at least ${MIN_SECRET} characters; make one with: openssl rand -base64 32`);

const addressList = z
  .string()
  .default("")
  .transform((text, ctx) => {
    try {
      return toBlockList(itemsOf(text));
    } catch {
      ctx.addIssue("must be addresses and CIDR ranges, separated by commas");
      return z.NEVER;
    }
  });

/** A setting that `parse` reads. The message of an error does not repeat the value, because it may contain a password. */
const parsedBy = <T>(parse: (text: string) => T | undefined, mustBe: string) =>
  z.string().transform((text, ctx) => {
    const parsed = parse(text);
    if (parsed !== undefined) return parsed;
    ctx.addIssue(mustBe);
    return z.NEVER;
  });

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
}
const webAddress = z.url({ protocol: /^https?$/, error: "must be an address like https://pay.example.com" });

/** The address of a provider's API. Keys are sent to it, so only one of this machine may be without https. */
const providerAddress = webAddress.transform((address, ctx) => {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || isLoopback(hostname)) return address.replace(/\/+$/, "");
  ctx.addIssue("must begin with https://");
  return z.NEVER;
});

const Settings = z.object({
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgres:// or postgresql://")
    .regex(/^[^#]*$/, "must have no # (write %23 in a password)"),
  OJA_SECRET_KEY: secretKey,
  OJA_OLD_SECRET_KEYS: z
    .string()
    .default("")
    .transform(itemsOf)
    .pipe(z.array(z.string().min(MIN_SECRET, `must be keys of at least ${MIN_SECRET} characters, separated by commas`))),
  PORT: wholeNumber(1, 65_535).default(3000),
  BASE_URL: webAddress.optional(),
  DASHBOARD_URL: webAddress.optional(),
  SANDBOX_URL: webAddress.optional(),
  SMTP_URL: parsedBy(parseSmtpUrl, "must be like smtps://USER:PASSWORD@HOST:PORT or smtp://USER:PASSWORD@HOST:PORT").optional(),
  MAIL_FROM: parsedBy(parseMailbox, "must be like Oja <no-reply@pay.example.com>").optional(),
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be like mailto:security@example.com or https://example.com/report")
    .optional(),
  WEB_CONCURRENCY: wholeNumber(1, 256).default(1),
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
  TRUSTED_PROXIES: addressList,
  PUBLIC_REQUESTS_PER_SECOND: wholeNumber(1, 1_000_000).default(300),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  OJA_DEMO: flag("0"),
  /** The key that opens the mailbox. The start program sets it, not a person, if it has started the database itself. */
  OJA_MAILBOX_KEY: z.string().min(20).optional(),
  /** The parent sets these for each web process: its own name, and the names of the processes that ended before it. */
  OJA_PROCESS_ID: z.string().optional(),
  OJA_ENDED_PROCESSES: z.string().default("").transform(itemsOf),
  OJA_TEST_MODE: flag("1"),
  OJA_SINGLE_OPERATOR: flag("0"),
  OJA_ALLOW_LOOPBACK_WEBHOOKS: flag("0"),
  OJA_LIVE_BANK: z.string().optional(),
  OJA_LIVE_ISSUER: z.string().optional(),
  OJA_LIVE_AGGREGATOR: z.string().optional(),
  OJA_PAYSTACK_SECRET_KEY: z
    .string()
    .regex(/^sk_live_\w+$/, "must begin with sk_live_: other keys of Paystack move no money")
    .optional(),
  OJA_PAYSTACK_BASE_URL: providerAddress.default("https://api.paystack.co"),
  OJA_SQUAD_SECRET_KEY: z
    .string()
    .regex(
      /^sk_(?!live_|test_)\w+$/,
      "must begin with sk_ and be Squad's: its sandbox keys move no money, and sk_live_ and sk_test_ are Paystack's",
    )
    .optional(),
  OJA_SQUAD_MERCHANT_ID: z
    .string()
    .regex(/^[A-Za-z0-9]{1,30}$/, "must be Squad's id of the merchant: letters and digits")
    .optional(),
  OJA_SQUAD_BASE_URL: providerAddress.default("https://api-d.squadco.com"),
  OJA_MONNIFY_API_KEY: z
    .string()
    .regex(/^MK_(?!TEST_)\w+$/, "must begin with MK_ and not be of the sandbox, whose keys move no money")
    .optional(),
  OJA_MONNIFY_SECRET_KEY: z
    .string()
    .regex(/^\S{8,200}$/, "must be the secret key of Monnify, without spaces")
    .optional(),
  OJA_MONNIFY_CONTRACT_CODE: z
    .string()
    .regex(/^\d{1,20}$/, "must be the digits of a contract at Monnify")
    .optional(),
  OJA_MONNIFY_SOURCE_ACCOUNT: z
    .string()
    .regex(/^\d{10}$/, "must be the ten digits of our wallet at Monnify")
    .optional(),
  OJA_MONNIFY_BASE_URL: providerAddress.default("https://api.monnify.com"),
});

/** The start program determines these itself. */
const SET_BY_START = ["OJA_MAILBOX_KEY", "OJA_PROCESS_ID", "OJA_ENDED_PROCESSES"];
/** The settings that people choose. */
export const SETTING_NAMES = Object.keys(Settings.shape).filter((name) => !SET_BY_START.includes(name));

type RawSettings = z.output<typeof Settings>;
type WithDefaults = { BASE_URL: string; DASHBOARD_URL: string; SANDBOX_URL: string; MAIL_FROM: Mailbox };
export type Settings = Omit<RawSettings, keyof WithDefaults> & WithDefaults;

/** The environment of a process. */
type Source = Record<string, string | undefined>;

export class BadSettings extends Error {
  override name = "BadSettings";
}

/** Reads and checks settings. Throws `BadSettings` with a message that names each bad setting and says what it must be. */
export function readSettings(source: Source): Settings {
  const { given, unread } = readTexts(source);
  const parsed = Settings.safeParse(given);
  const issues = parsed.error?.issues.filter(({ path }) => !unread.has(String(path[0]))) ?? [];
  const problems = [...unread.values(), ...issues.map((issue) => describeIssue(issue, given)), ...unsafeLiveMode(given)];
  if (!parsed.success || problems.length > 0) throw new BadSettings(`Settings: ${problems.join("; ")}. See .env.example.`);
  const raw = parsed.data;
  const baseUrl = raw.BASE_URL ?? `http://localhost:${raw.PORT}`;
  return {
    ...raw,
    DATABASE_URL: withTls(withHosts(raw.DATABASE_URL, given), given.PGHOST),
    BASE_URL: baseUrl.replace(/\/+$/, ""),
    DASHBOARD_URL: (raw.DASHBOARD_URL ?? baseUrl).replace(/\/+$/, ""),
    MAIL_FROM: raw.MAIL_FROM ?? { name: "Oja", address: `no-reply@${new URL(baseUrl).hostname}` },
    SANDBOX_URL: (raw.SANDBOX_URL ?? `http://127.0.0.1:${raw.PORT}`).replace(/\/+$/, ""),
  };
}

/** Returns the texts of all settings, and what is wrong with a file, by the name of the setting. */
function readTexts(source: Source): { given: Record<string, string | undefined>; unread: Map<string, string> } {
  const given = { ...source };
  const unread = new Map<string, string>();
  for (const name of Object.keys(Settings.shape)) {
    try {
      given[name] = readSetting(name, source);
    } catch (error) {
      unread.set(name, (error as Error).message);
    }
  }
  return { given, unread };
}

/**
 * Returns the text of one setting, unchecked, or undefined if it is not set. It may stand in a file that NAME_FILE names, as containers mount
 * secrets. Throws `BadSettings` for a file that cannot be read, or beside the setting itself.
 */
export function readSetting(name: string, source: Source = process.env): string | undefined {
  // An empty line in a .env file means "not set".
  const [text, file] = [source[name] || undefined, source[`${name}_FILE`] || undefined];
  if (file === undefined) return text;
  if (text !== undefined) throw new BadSettings(`${name} and ${name}_FILE are both set`);
  try {
    // Editors end a file with a new line.
    return readFileSync(file, "utf8").replace(/\r?\n$/, "") || undefined;
  } catch (error) {
    throw new BadSettings(`${name}_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  // The index of a list's item is left out.
  const name = String(issue.path[0]);
  return given[name] === undefined ? `${name} is not set` : `${name} ${inWords(issue.message)}`;
}

/** Returns a problem if live mode has no https, because real keys and card numbers must not cross the internet in the clear. */
function unsafeLiveMode(given: Record<string, string | undefined>): string[] {
  const { BASE_URL = "", DASHBOARD_URL } = given;
  const live = Object.keys(given).filter((name) => name.startsWith("OJA_LIVE_") && given[name] !== undefined);
  const unsafe = Object.entries({ BASE_URL, ...(DASHBOARD_URL && { DASHBOARD_URL }) }).filter(([, url]) => !url.startsWith("https://"));
  return live.length === 0 ? [] : unsafe.map(([name]) => `${name} must begin with https:// where ${live.join(", ")} is set`);
}

/** Returns the URL with the hosts of PGHOST where it names none and PGHOST names several, because each connection looks for the primary. */
function withHosts(url: string, { PGHOST = "", PGPORT }: Source): string {
  if (!PGHOST.includes(",")) return url;
  const hosts = PGHOST.split(",").map((host) => (PGPORT && !/:\d+$/.test(host) ? `${host}:${PGPORT}` : host));
  return url.replace(/^(\w+:\/\/(?:[^@/?]*@)?)(?=[/?]|$)/, (start) => start + hosts.join(","));
}

/**
 * Returns the URL, with `sslmode=require` if a host is another machine and the URL has no `sslmode`. If the URL has no host, PostgreSQL's
 * own setting PGHOST names it.
 */
function withTls(url: string, PGHOST = ""): string {
  const [address = "", query = ""] = url.split(/\?(.*)/s);
  const hosts = /^\w+:\/\/(?:[^@/]*@)?([^/]*)/.exec(address)?.[1] || PGHOST;
  const names = hosts.split(",").map((host) => host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1"));
  const isLocal = names.every((name) => name === "" || name === "localhost" || name.startsWith("/") || isLoopback(name));
  const parameters = query.split("&").filter((each) => each !== "" && !/^ssl(?:mode)?=$/.test(each));
  const hasSslMode = parameters.some((each) => /^ssl(?:mode)?=/.test(each));
  if (!isLocal && !hasSslMode) parameters.push("sslmode=require");
  return parameters.length === 0 ? address : `${address}?${parameters.join("&")}`;
}

function inWords(message: string): string {
  return message.startsWith("must") ? message : `is not valid (${message})`;
}

let current: Settings | undefined;

/** Returns the settings of this process. Reads them at the first call. Throws `BadSettings`. */
export function settings(): Settings {
  current ??= readSettings(process.env);
  return current;
}

/** Returns whether npm took an option of a command for its own, as it does when the -- before the command is missing. */
export const isKeptByNpm = (option: string): boolean => process.env[`npm_config_${option.replaceAll("-", "_")}`] !== undefined;
