import type { z } from "zod";
import { isoOrNull } from "#lib/time.ts";
import type { AreaRequestObject } from "./contract.ts";
import type { AreaState } from "./find-area-state.ts";

export const presentAreaState = ({ area, isOn, requestedAt }: AreaState): z.output<typeof AreaRequestObject> => ({
  area,
  is_on: isOn,
  requested_at: isoOrNull(requestedAt),
});
