import { createElement, Fragment, type ReactNode } from "react";
import type { english } from "./english.ts";

type English = typeof english;
type Key = keyof English;

/** One language. A missing string, or one too many, does not compile. */
export type Words = { readonly [K in Key]: string };

type Gaps<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never;
type Values<K extends Key, Value> = { [Name in Gaps<English[K]>]: Value };

const GAP = /\{(\w+)\}/;

/** A sentence with its gaps filled by markup. */
export function fill<K extends Key>(words: Words, key: K, values: Values<K, ReactNode>): ReactNode {
  return createElement(Fragment, null, ...pieces<ReactNode>(words[key], values));
}

/** A sentence with its gaps filled by text. */
export const fillText = <K extends Key>(words: Words, key: K, values: Values<K, string>): string => pieces(words[key], values).join("");

function pieces<Value>(template: string, values: Record<string, Value>): (string | Value)[] {
  // A text that is split by its gaps has their names at every second place.
  return template.split(GAP).map((piece, i) => (i % 2 === 0 ? piece : (values[piece] ?? `{${piece}}`)));
}
