import { verify } from "./steps.ts";

await verify();
