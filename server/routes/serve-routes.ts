import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { IsPage } from "../pages.ts";
import { ROOT } from "../runtime.ts";
import { dispatch, type RouteModule } from "./dispatch.ts";
import { readRouteTable } from "./route-table.ts";
import "./tsx-loader.ts";

export interface Routes {
  isPage: IsPage;
  /** Answers a request if a route has its path. Returns false otherwise: its path is a page's or a file's. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

/** Loads all routes of `app`, so that the first request of each is as fast as the next. */
export async function loadRoutes(): Promise<Routes> {
  const table = readRouteTable();
  const files = table.entries.filter(({ kind }) => kind === "route").map(({ file }) => file);
  const modules = new Map(await Promise.all(files.map(async (file) => [file, await load(file)] as const)));
  return {
    isPage: (request) => table.find(rawPathOf(request))?.entry.kind === "page",
    async answer(request, response) {
      const found = table.find(rawPathOf(request));
      const route = found && modules.get(found.entry.file);
      if (!found || !route) return false;
      await dispatch(request, response, route, found);
      return true;
    },
  };
}

const rawPathOf = ({ url = "" }: Pick<IncomingMessage, "url">): string => url.split("?")[0] ?? "";

const load = (file: string): Promise<RouteModule> => import(pathToFileURL(join(ROOT, "app", file)).href);
