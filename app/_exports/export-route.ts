import { z } from "zod";
import { admit } from "#app/_http/admit.ts";
import type { Call } from "#app/_http/call.ts";
import { memberOf } from "#app/_http/dashboard-route.ts";
import type { Declaration } from "#app/_http/declaration.ts";
import { identifyMemberAgain } from "#app/_http/identify-member.ts";
import type { MerchantRoute } from "#app/_http/merchant-route.ts";
import { recordCall } from "#app/_http/request-log.ts";
import { CLIENT_CLOSED_REQUEST, type NextContext, serveCall, toProblem } from "#app/_http/serve-call.ts";
import { log } from "#lib/log.ts";
import { ERROR_STATUS } from "#lib/problem.ts";
import { lagosDay } from "#lib/time.ts";
import type { Area, MemberContext } from "#services/context.ts";
import { beginExport, type ExportLease, endExport, keepExport } from "#services/exports/index.ts";
import type { MemberPermission } from "#services/members/index.ts";
import { type Column, headOf, linesOf } from "./csv.ts";
import { beginDownload, type DownloadEnd } from "./download.ts";
import { refusal } from "./refusal.ts";

/** The parts of an export that differ from list to list. */
export interface Export<Filters extends z.ZodObject, Row> {
  /** The `operationId`, unique. */
  name: string;
  /** The last part of the path. */
  list: string;
  /** The beginning of the file's name, where it is not the list alone. */
  fileName?: (filters: z.output<Filters>) => string;
  permission: MemberPermission;
  /** Absent where the list belongs to no area. */
  area?: Area;
  /** The filters of the list, without its page. */
  filters: Filters;
  columns: readonly Column<Row>[];
  /** Reads one page when it is asked for. A page may be empty. */
  pages: (ctx: MemberContext, filters: z.output<Filters>) => AsyncIterable<Row[]>;
}

type ExportDeclaration<Filters extends z.ZodObject> = Declaration<z.ZodType, Filters, z.ZodType>;

/**
 * Returns the route of a list as a CSV file, which a link of the dashboard opens: `?merchant=mer_…` and the list's filters, and no other
 * parameter. A member can run one download at a time.
 */
export function exportRoute<Filters extends z.ZodObject, Row>(exported: Export<Filters, Row>): MerchantRoute {
  const { name, list, fileName, area, permission, filters } = exported;
  const declaration: ExportDeclaration<Filters> = {
    name,
    summary: `Download ${list} as CSV`,
    ...(area && { area }),
    permission,
    callers: "sessions",
    opensByLink: true,
    query: filters,
    returns: { 200: z.string() },
  };
  const route = (request: Request, next: NextContext): Promise<Response> =>
    serveCall(request, next, declaration, {
      respond: async (call, ctx, { query }) => {
        const member = memberOf(ctx);
        const body = await begin(request, call, member, declaration, partsOf(exported, member, query));
        return new Response(body, { headers: { ...call.headers, ...fileHeaders(fileName?.(query) ?? list, member) } });
      },
      refuse: (call, problem) => refusal(request, call, problem),
    });
  return Object.assign(route, { declaration: declaration as unknown as MerchantRoute["declaration"] });
}

async function* partsOf<Filters extends z.ZodObject, Row>(
  { columns, pages }: Export<Filters, Row>,
  ctx: MemberContext,
  filters: z.output<Filters>,
): AsyncGenerator<string, void> {
  let head = headOf(columns);
  for await (const rows of pages(ctx, filters)) {
    yield head + linesOf(columns, rows);
    head = "";
  }
}

/** Takes the member's lease and begins the download, which gives the lease back. Checks session, role and lease before each page. */
async function begin<Filters extends z.ZodObject>(
  request: Request,
  call: Call,
  ctx: MemberContext,
  declaration: ExportDeclaration<Filters>,
  parts: AsyncGenerator<string, void>,
): Promise<ReadableStream<Uint8Array>> {
  const lease = await beginExport(ctx);
  try {
    return await beginDownload({
      parts,
      signal: request.signal,
      check: async () => {
        admit(call, await identifyMemberAgain(call, request), declaration);
        await keepExport(lease);
      },
      onEnd: async (end) => {
        await releaseExportLease(lease, call);
        record(call, end);
      },
    });
  } catch (error) {
    await releaseExportLease(lease, call);
    throw error;
  }
}

/** Releases the lease. A failure only delays the next download until the lease expires, so it does not break a complete one. */
async function releaseExportLease(lease: ExportLease, { requestId }: Call): Promise<void> {
  await endExport(lease).catch((err: unknown) => log().error({ requestId, err }, "the lease of an export was not released"));
}

/** Records a download with the status that fits its end. The client got 200 in any case, because the status is sent before the rows. */
function record(call: Call, end: DownloadEnd): void {
  if (end.kind === "whole") recordCall(call, 200);
  else if (end.kind === "left") recordCall(call, CLIENT_CLOSED_REQUEST);
  else {
    const problem = toProblem(end.error, call);
    log().warn({ requestId: call.requestId, code: problem.code }, "a download failed before its end");
    recordCall(call, ERROR_STATUS[problem.code], problem);
  }
}

/** The name of the file has the list, the mode and the day in Lagos. */
const fileHeaders = (name: string, { merchant }: MemberContext): Record<string, string> => ({
  "Content-Type": "text/csv; charset=utf-8; header=present",
  "Content-Disposition": `attachment; filename="oja-${name}-${merchant.mode}-${lagosDay(new Date())}.csv"`,
});
