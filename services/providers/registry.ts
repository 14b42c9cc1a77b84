import { BadSettings, settings } from "#lib/env.ts";
import { outsideSlot } from "#lib/fair-slots.ts";
import { log } from "#lib/log.ts";
import { Problem } from "#lib/problem.ts";
import type { Merchant } from "../context.ts";
import { isOffered, modeOf } from "./mode.ts";

export type ProviderKind = "bank" | "issuer" | "aggregator";

/** The settings that name the provider of live merchants without a provider of their own. */
const LIVE_SETTING = { bank: "OJA_LIVE_BANK", issuer: "OJA_LIVE_ISSUER", aggregator: "OJA_LIVE_AGGREGATOR" } as const;
const IN_WORDS = { bank: "bank", issuer: "card issuer", aggregator: "aggregator of top-ups" } as const;

/** The adapters of one kind of provider, by name. Each is made at its first use, because its address is a setting. */
export class Registry<Provider extends object> {
  readonly kind: ProviderKind;
  readonly #makers: Record<string, () => Provider | undefined>;
  readonly #made = new Map<string, Provider>();

  constructor(kind: ProviderKind, makers: Record<string, () => Provider | undefined>) {
    this.kind = kind;
    this.#makers = makers;
  }

  /** Returns the names of all adapters of one mode, or of both. */
  names(mode?: Merchant["mode"]): string[] {
    return Object.keys(this.#makers).filter((name) => mode === undefined || modeOf(name) === mode);
  }

  /** Returns every provider that is available here and has its settings. One that cannot be created is logged and left out, so that other sweeps go on. */
  all(): Provider[] {
    return this.names().flatMap((name) => {
      try {
        return this.named(name) ?? [];
      } catch (error) {
        log().error({ provider: name, err: error }, "a provider could not be made; it is left out");
        return [];
      }
    });
  }

  /** Returns the provider of a name, from a row or a notice. Undefined where the name is unknown, or the provider is not available here or has no settings. */
  named(name: string): Provider | undefined {
    if (!Object.hasOwn(this.#makers, name) || !isOffered(name)) return undefined;
    const known = this.#made.get(name);
    if (known) return known;
    const made = this.#makers[name]?.();
    if (!made) return undefined;
    const provider = callsOutsideSlot(made);
    this.#made.set(name, provider);
    return provider;
  }

  /** Returns the provider for a merchant's new resources. Throws PROVIDER_UNAVAILABLE if this server has no provider of its mode. */
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

  /** Throws `BadSettings` where the setting has a name that no live adapter of this kind has, or one whose own settings are empty. */
  requireKnownDefault(): void {
    const name = this.#default("live");
    const known = this.names("live");
    if (name === null) return;
    const setting = LIVE_SETTING[this.kind];
    if (known.includes(name)) {
      if (this.named(name) === undefined) throw new BadSettings(`${setting} is ${name}, whose settings are empty. See .env.example.`);
      return;
    }
    throw new BadSettings(
      known.length === 0
        ? `${setting} must be empty: there is no adapter of a live ${IN_WORDS[this.kind]} yet. See .env.example.`
        : `${setting} must be one of ${known.join(", ")}. See .env.example.`,
    );
  }
}

/** Returns a provider whose calls wait outside the slot of the request that makes them: a slow provider then delays no other request. */
const callsOutsideSlot = <Provider extends object>(provider: Provider): Provider =>
  new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (isPart(value)) return callsOutsideSlot(value);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, given);
        return answer instanceof Promise ? outsideSlot(() => answer) : answer;
      };
    },
  });

/** Returns whether a value is a part of an adapter that calls the provider too, as the refunds of a bank. */
const isPart = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.values(value).some((each) => typeof each === "function");
