import { notFound } from "next/navigation";
import { Problem } from "#lib/problem.ts";

/** Returns what a verb finds. What does not exist, or belongs to another merchant, is the page of a missing thing. */
export async function found<Thing>(reading: Promise<Thing>): Promise<Thing> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Problem && error.code === "RESOURCE_NOT_FOUND") notFound();
    throw error;
  }
}
