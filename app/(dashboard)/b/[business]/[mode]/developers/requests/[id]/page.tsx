import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { may } from "#app/(dashboard)/_page/may.ts";
import { namer } from "#app/(dashboard)/_page/namer.ts";
import { RequestDetail } from "#components/developers/request-detail.tsx";
import type { Fact } from "#components/page/facts.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { settings } from "#lib/env.ts";
import { ERROR_HELP, type ErrorCode } from "#lib/problem.ts";
import { getApiKey } from "#services/api-keys/index.ts";
import type { MemberContext } from "#services/context.ts";
import { getRequest } from "#services/requests/index.ts";
import type { LoggedRequest } from "../to-view.ts";
import { asCurl } from "./as-curl.ts";

export const metadata: Metadata = { title: "Request" };

export default async function RequestPage({ params }: PageProps<"/b/[business]/[mode]/developers/requests/[id]">) {
  const page = await requireMember(params);
  const closed = closedTo(page, getRequest.needs.permission, "Request");
  if (closed) return closed;
  const { ctx, base } = page;
  const request = await found(getRequest(ctx, (await params).id));
  const { method, path, status, caller } = request;
  return (
    <RequestDetail
      backHref={`${base}/developers/requests`}
      title={`${method} ${path}`}
      status={status}
      failure={failureOf(request)}
      command={caller === "key" ? asCurl(request, settings().BASE_URL) : undefined}
      facts={await factsOf(ctx, request, `${base}/developers`)}
    />
  );
}

function failureOf({ status, errorCode, problems }: LoggedRequest) {
  if (status < 400) return undefined;
  const help = Object.hasOwn(ERROR_HELP, errorCode ?? "") ? ERROR_HELP[errorCode as ErrorCode] : "The answer had no error code.";
  return { code: errorCode ?? `Status ${status}`, help, docsHref: `/docs/errors#${errorCode ?? ""}`, problems };
}

async function factsOf(ctx: MemberContext, request: LoggedRequest, path: string): Promise<Fact[]> {
  const { id, endpoint, clientAddress, durationMs, queryFields, bodyFields, createdAt } = request;
  return [
    { label: "Request id", value: <CopyId id={id} what="request id" /> },
    { label: "Sent by", value: await callerOf(ctx, request, path) },
    { label: "From", value: clientAddress && <span className="font-mono">{clientAddress}</span> },
    { label: "Time", value: exactTime(createdAt) },
    { label: "Took", value: `${durationMs.toLocaleString("en")} ms` },
    { label: "Operation", value: endpoint && <span className="font-mono">{endpoint}</span> },
    { label: "Query", value: <Names names={queryFields} /> },
    { label: "Body", value: <Names names={bodyFields} /> },
  ];
}

const Names = ({ names }: { names: string[] }) =>
  names.length === 0 ? <span className="text-muted">Nothing</span> : <span className="font-mono">{names.join(", ")}</span>;

async function callerOf(ctx: MemberContext, { apiKeyId, userId }: LoggedRequest, path: string) {
  if (apiKeyId !== null) {
    const { name } = await getApiKey(ctx, apiKeyId);
    return may(ctx, "keys:write") ? <TextLink href={`${path}/keys/${apiKeyId}`}>{name}</TextLink> : `The key ${name}`;
  }
  return userId === null ? null : (await namer(ctx))({ type: "member", id: userId });
}
