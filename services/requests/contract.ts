import { z } from "zod";
import { ERROR_CODES } from "#lib/problem.ts";
import { createdRange, PageQuery } from "../page-query.ts";

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
export const STATUS_CLASSES = ["succeeded", "failed", "4xx", "5xx"] as const;

export const ListRequestsQuery = PageQuery.extend({
  method: z.enum(METHODS, { error: `Send ${METHODS.join(", ")}.` }).optional(),
  path: z
    .string()
    .regex(/^\/[\w/.-]{0,199}$/, "Send the beginning of a path, such as /api/v1/checkout.")
    .optional()
    .meta({ description: "How the path begins.", example: "/api/v1/checkout" }),
  status: z
    .enum(STATUS_CLASSES, { error: `Send ${STATUS_CLASSES.join(", ")}.` })
    .optional()
    .meta({ description: "`failed`: 400 and above." }),
  error_code: z.enum(ERROR_CODES, { error: "Send an error code, such as VALIDATION_ERROR." }).optional(),
  key_id: z
    .string()
    .regex(/^\w{1,64}$/, "Send the id of a key.")
    .optional(),
  caller: z.enum(["key", "member"], { error: "Send key or member." }).optional(),
  ...createdRange("Requests"),
}).meta({ id: "ListRequestsQuery" });

const ProblemObject = z.object({ param: z.string(), message: z.string() });

export const RequestObject = z
  .object({
    id: z.string(),
    caller: z.enum(["key", "member"]),
    key_id: z.string().nullable(),
    user_id: z.string().nullable(),
    endpoint: z.string().nullable().meta({ description: "The `operationId` of the OpenAPI document." }),
    method: z.string(),
    path: z.string(),
    status: z.number().int(),
    error_code: z.string().nullable(),
    duration_ms: z.number().int(),
    client_address: z.string().nullable().meta({ description: "Null where the role may not see it: the address of another member." }),
    query_fields: z.array(z.string()).meta({ description: "Names of the query's parameters. No value is kept." }),
    body_fields: z.array(z.string()).meta({ description: "Names of the body's fields. No value is kept." }),
    problems: z.array(ProblemObject).meta({ description: "Each refused field with the advice of the answer." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "LoggedRequest" });
