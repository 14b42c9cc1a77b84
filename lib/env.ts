import { z } from "zod";
import { toBlockList } from "./peer.ts";

const flag = z
  .enum(["0", "1"])
  .default("0")
  .transform((value) => value === "1");
function areAddresses(entries: string[]): boolean {
  try {
    toBlockList(entries);
    return true;
  } catch {
    return false;
  }
}

const addressList = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine(areAddresses, "must be addresses and CIDR ranges, separated by commas");

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
}
const webAddress = z.url({ protocol: /^https?$/, error: "must be an address like https://pay.example.com" });

const Settings = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgres:// or postgresql://"),
  OJA_SECRET_KEY: z.string().min(32, "must be at least 32 characters; make one with: openssl rand -base64 32"),
  PORT: wholeNumber(1, 65_535).default(3000),
  BASE_URL: webAddress.optional(),
  SANDBOX_URL: webAddress.optional(),
  WEB_CONCURRENCY: wholeNumber(1, 256).default(1),
  DATABASE_POOL_SIZE: wholeNumber(1, 500).default(10),
  TRUSTED_PROXIES: addressList,
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  OJA_DEMO: flag,
  OJA_ALLOW_LOOPBACK_WEBHOOKS: flag,
  OJA_LIVE_BANK: z
    .string()
    .refine(() => false, "must be empty: there is no adapter of a live bank yet")
    .optional(),
  OJA_LIVE_ISSUER: z
    .string()
    .refine(() => false, "must be empty: there is no adapter of a live card issuer yet")
    .optional(),
  OJA_LIVE_AGGREGATOR: z
    .string()
    .refine(() => false, "must be empty: there is no adapter of a live aggregator yet")
    .optional(),
});

type RawSettings = z.output<typeof Settings>;
export type Settings = Omit<RawSettings, "BASE_URL" | "SANDBOX_URL"> & { BASE_URL: string; SANDBOX_URL: string };

export class BadSettings extends Error {
  override name = "BadSettings";
}

/** Reads and checks settings. Throws `BadSettings` whose message names each bad one and says what it must be. */
export function readSettings(source: Record<string, string | undefined>): Settings {
  // An empty line in a .env file means "not set".
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = issue.path.join(".");
      return given[name] === undefined ? `${name} is not set` : `${name} ${inWords(issue.message)}`;
    });
    throw new BadSettings(`Settings: ${lines.join("; ")}. See .env.example.`);
  }
  const raw = parsed.data;
  const own = `http://localhost:${raw.PORT}`;
  return {
    ...raw,
    BASE_URL: (raw.BASE_URL ?? own).replace(/\/+$/, ""),
    SANDBOX_URL: (raw.SANDBOX_URL ?? `http://127.0.0.1:${raw.PORT}`).replace(/\/+$/, ""),
  };
}

function inWords(message: string): string {
  return message.startsWith("must") ? message : `is not valid (${message})`;
}

let current: Settings | undefined;

/** The settings of this process, read once, when first asked for. */
export function settings(): Settings {
  current ??= readSettings(process.env);
  return current;
}
