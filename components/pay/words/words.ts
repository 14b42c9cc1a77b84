import { createElement, Fragment, type ReactNode } from "react";
import type { english } from "./english.ts";

type English = typeof english;
type Key = keyof English;

/** The texts of one language. A missing or an extra text does not compile. */
export type Words = { readonly [K in Key]: string };

type Gaps<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gaps<Rest> : never;
type Values<K extends Key, Value> = { [Name in Gaps<English[K]>]: Value };

const GAP = /\{(\w+)\}/;

/** Returns a sentence with markup in its gaps. */
export function fill<K extends Key>(words: Words, key: K, values: Values<K, ReactNode>): ReactNode {
  return createElement(Fragment, null, ...pieces<ReactNode>(words[key], values));
}

/** Returns a sentence with text in its gaps. */
export const fillText = <K extends Key>(words: Words, key: K, values: Values<K, string>): string => pieces(words[key], values).join("");

function pieces<Value>(template: string, values: Record<string, Value>): (string | Value)[] {
  // `split` puts the gap names at every second place, because GAP captures them.
  return template.split(GAP).map((piece, i) => (i % 2 === 0 ? piece : (values[piece] ?? `{${piece}}`)));
}
