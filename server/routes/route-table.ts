import { readdirSync } from "node:fs";
import { join } from "node:path";
import { addRoute, createRouter, findRoute } from "rou3";
import { ROOT } from "../runtime.ts";

/** A page of React's, which Next renders, or a route of ours. */
interface Entry {
  kind: "page" | "route";
  /** Its file below `app`. */
  file: string;
  /** Its path as Next writes it, for example `/api/[...path]`. */
  path: string;
}

export interface Found {
  entry: Entry;
  /** As Next gives them: decoded, and a list for `[...name]`. */
  params: Record<string, string | string[]>;
}

export interface RouteTable {
  entries: readonly Entry[];
  /**
   * Returns the page or route of a request's path, without the query. Names are compared as they were sent; parameters are decoded. Throws a
   * URIError for a path that cannot be decoded to text.
   */
  find(path: string): Found | undefined;
}

const FILE_OF_ENTRY = /^(.*)\/(page|route)\.tsx?$/;
/** Next leaves out folders whose names begin so, and the names of groups. */
const PRIVATE = /(?:^|\/)_/;
const GROUP = /\/\([^)/]+\)/g;
/** As next.config.mjs rewrites: a member of one business uses addresses without it. */
const OF_ONE_BUSINESS = /^\/(?=(?:test|live)(?:\/|$))/;

/** Reads the folders of `app`. Its pages and routes are found at the same paths, and with the same precedence, as in Next. */
export function readRouteTable(folder = join(ROOT, "app")): RouteTable {
  const files = readdirSync(folder, { recursive: true }).map((file) => `/${String(file).replaceAll("\\", "/")}`);
  return routeTableOf(files.flatMap(entryOf));
}

function entryOf(file: string): Entry[] {
  const [, place, kind] = FILE_OF_ENTRY.exec(file) ?? [];
  if (place === undefined || PRIVATE.test(place)) return [];
  return [{ kind: kind === "page" ? "page" : "route", file: file.slice(1), path: place.replace(GROUP, "") || "/" }];
}

export function routeTableOf(entries: readonly Entry[]): RouteTable {
  const router = createRouter<Entry>();
  for (const entry of entries) addRoute(router, "", patternOf(entry.path), entry);
  return {
    entries,
    find(path) {
      const match = findRoute(router, "", path.replace(OF_ONE_BUSINESS, "/b/own/"));
      return match && { entry: match.data, params: paramsOf(match.data, match.params ?? {}) };
    },
  };
}

/** Returns a path of Next in the notation of rou3. */
const patternOf = (path: string): string =>
  path
    .split("/")
    .map((segment) => segment.replace(/^\[\.\.\.(\w+)\]$/, ":$1+").replace(/^\[(\w+)\]$/, ":$1"))
    .join("/");

function paramsOf({ path }: Entry, raw: Record<string, string>): Found["params"] {
  const decoded = Object.entries(raw).map(([name, value]): [string, string | string[]] => {
    const isList = path.includes(`[...${name}]`);
    return [name, isList ? value.split("/").map(decodeURIComponent) : decodeURIComponent(value)];
  });
  return Object.fromEntries(decoded);
}
