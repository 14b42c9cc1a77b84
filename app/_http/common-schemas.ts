import { z } from "zod";
import { Pagination } from "#services/page-query.ts";

export const dataOf = <Item extends z.ZodType>(item: Item) => z.object({ data: item });
export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), pagination: Pagination });
export const ReferenceParams = z.object({ reference: z.string().meta({ description: "The reference of the payment link." }) });
