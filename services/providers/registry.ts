import { BadSettings, settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { Problem } from "#lib/problem.ts";
import type { Merchant } from "../context.ts";
import { isOffered, modeOf } from "./mode.ts";

export type ProviderKind = "bank" | "issuer" | "aggregator";

/** The provider of live merchants that none is bound to. */
const LIVE_SETTING = { bank: "OJA_LIVE_BANK", issuer: "OJA_LIVE_ISSUER", aggregator: "OJA_LIVE_AGGREGATOR" } as const;
const IN_WORDS = { bank: "bank", issuer: "card issuer", aggregator: "aggregator of top-ups" } as const;

/** The adapters of one kind of provider, by name. Each is made when it is first asked for, because its address is a setting. */
export class Registry<Provider> {
  readonly kind: ProviderKind;
  readonly #makers: Record<string, () => Provider>;
  readonly #made = new Map<string, Provider>();

  constructor(kind: ProviderKind, makers: Record<string, () => Provider>) {
    this.kind = kind;
    this.#makers = makers;
  }

  /** Of one mode, or of both. */
  names(mode?: Merchant["mode"]): string[] {
    return Object.keys(this.#makers).filter((name) => mode === undefined || modeOf(name) === mode);
  }

  /** Every provider that is served here. */
  all(): Provider[] {
    return this.names().flatMap((name) => this.named(name) ?? []);
  }

  /** The provider that something was made at, or of the name that a notice brings. Undefined for a name that we do not know or do not serve. */
  named(name: string): Provider | undefined {
    if (!Object.hasOwn(this.#makers, name) || !isOffered(name)) return undefined;
    const provider = this.#made.get(name) ?? this.#makers[name]?.();
    if (provider) this.#made.set(name, provider);
    return provider;
  }

  /** The provider of what a merchant makes from now on. Throws PROVIDER_UNAVAILABLE where there is none. */
  for(merchant: Pick<Merchant, "mode" | ProviderKind>): Provider {
    const { mode } = merchant;
    const name = merchant[this.kind] ?? this.#default(mode);
    const provider = name !== null && modeOf(name) === mode ? this.named(name) : undefined;
    if (provider) return provider;
    const what = IN_WORDS[this.kind];
    if (mode === "test") throw new Problem("PROVIDER_UNAVAILABLE", `No ${what} is bound to this account in test mode.`);
    log().warn({ setting: LIVE_SETTING[this.kind] }, "a live merchant needs a provider that no setting names");
    throw new Problem("PROVIDER_UNAVAILABLE", `Live mode has no ${what} here yet. Ask the operator of this service.`);
  }

  #default(mode: Merchant["mode"]): string | null {
    return mode === "live" ? (settings()[LIVE_SETTING[this.kind]] ?? null) : null;
  }

  /** Throws `BadSettings` where the setting names no live provider of this kind. */
  requireKnownDefault(): void {
    const name = this.#default("live");
    const known = this.names("live");
    if (name === null || known.includes(name)) return;
    const setting = LIVE_SETTING[this.kind];
    throw new BadSettings(
      known.length === 0
        ? `${setting} must be empty: there is no adapter of a live ${IN_WORDS[this.kind]} yet. See .env.example.`
        : `${setting} must be one of ${known.join(", ")}. See .env.example.`,
    );
  }
}
